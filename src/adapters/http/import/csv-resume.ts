import { RowFramer, type Row } from './csv-rows.ts';
import type { RowLimits } from './row-limits.ts';

export interface Shape {
  readonly separators: string;
  readonly width: number;
  readonly limits: RowLimits;
}

export interface ResumePlace {
  /** In bytes from the start of the row. */
  readonly at: number;
  readonly line: number;
}

/**
 * Cost of an attempt beside its reads, counted in bytes. A row of very short lines would have one
 * for each of them.
 */
const ATTEMPT_COST = 1_024;
const MIN_ATTEMPTS = 1_000;

const LF = 0x0a;
const CR = 0x0d;

const lineAfter = (bytes: Buffer, { at, line }: ResumePlace): ResumePlace | null => {
  for (let end = at; end < bytes.length; end += 1) {
    if (bytes[end] !== LF && bytes[end] !== CR) continue;
    const next = bytes[end] === CR && bytes[end + 1] === LF ? end + 2 : end + 1;
    return next < bytes.length ? { at: next, line: line + 1 } : null;
  }
  return null;
};

const isSound = (row: Row, { width }: Shape): boolean => row.fault === null && row.isStrict && row.cells === width;

/**
 * The first row that could not be one of this file, null when there is none, and whether there are
 * rows at all.
 */
const firstUnsound = (bytes: Buffer, shape: Shape): { bad: Row | null; rows: number } => {
  const framer = new RowFramer({ ...shape, line: 1 });
  let rows = 0;
  for (const found of [framer.push(bytes), framer.end()]) {
    for (const row of found) {
      if (!isSound(row, shape)) return { bad: row, rows };
      rows += 1;
    }
  }
  return { bad: null, rows };
};

/** The line behind the one where the bad row begins, and no earlier than `at`. */
const lineBehind = (bytes: Buffer, place: ResumePlace, at: number): ResumePlace | null => {
  let next = lineAfter(bytes, place);
  while (next && next.at <= at) next = lineAfter(bytes, next);
  return next;
};

/**
 * Finds the line from which a row with unsound quotes continues, because it swallowed the rows
 * after it: the first of its lines from which all of the rest is sound rows, each with as many
 * cells as the header. A line of a quoted text is not taken for a row: the quote that closes that
 * text would not be sound there. Null when there is no such line, or none was found within twice
 * the row's length of reading and attempts.
 */
export const findResume = (row: Row, shape: Shape): ResumePlace | null => {
  const { bytes } = row;
  if (bytes === null) return null;
  // A short row has its attempts too.
  let budget = 2 * bytes.length + MIN_ATTEMPTS * ATTEMPT_COST;
  let place = lineAfter(bytes, { at: 0, line: row.line });
  while (place && budget > 0) {
    const { bad, rows } = firstUnsound(bytes.subarray(place.at), shape);
    if (bad === null) return rows > 0 ? place : null;
    budget -= bad.at + bad.size + ATTEMPT_COST;
    place = lineBehind(bytes, place, place.at + bad.at);
  }
  return null;
};
