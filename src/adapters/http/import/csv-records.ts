import { isUtf8 } from 'node:buffer';
import Papa from 'papaparse';

import type { ImportFault } from '../../../domain/catalogue/product-import.ts';
import { charsetMessage, rowFaultMessage } from './csv-messages.ts';
import { RowFramer, type Row, type RowLimits } from './csv-rows.ts';

/** By how common they are. */
export const SEPARATORS = [',', ';', '\t'] as const;

/**
 * The cells of a row without its line end, whose quotes are sound. A closing quote may have blanks
 * behind it.
 */
export const cellsOf = (text: string, separator: string): readonly string[] => {
  if (!text.includes('"')) return text.split(separator);
  // The library knows blanks behind a quote only in front of a separator or a line end.
  const parser = new Papa.Parser({ delimiter: separator, newline: '\n' });
  const { data } = parser.parse(`${text}\n`, 0, false) as Papa.ParseResult<string[]>;
  return data[0] ?? [];
};

export const separatorOf = (header: string): string => {
  const plain = header.replace(/"[^"]*"/g, '');
  const counts = SEPARATORS.map((separator) => ({ separator, count: plain.split(separator).length }));
  const [best] = counts.sort((a, b) => b.count - a.count);
  return best?.separator ?? ',';
};

interface Shape {
  readonly separators: string;
  readonly width: number;
  readonly limits: RowLimits;
}

interface ResumePlace {
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
const findResume = (row: Row, shape: Shape): ResumePlace | null => {
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

export interface CsvRecord {
  readonly line: number;
  readonly size: number;
  readonly cells: readonly string[];
  readonly faults: readonly string[];
}

export interface CsvOptions {
  readonly charset: string;
  readonly limits: RowLimits;
}

const SPACE = 0x20;
/** DOS ends a text with it, in a line of its own. */
const CTRL_Z = 0x1a;

const isBlank = (cell: string): boolean => cell.trim() === '';

export const readCells = (row: Row, bytes: Buffer, separator: string, { charset }: CsvOptions): CsvRecord => {
  const faults = isUtf8(bytes) ? [] : [charsetMessage(bytes, row.line, charset)];
  return { line: row.line, size: row.size, cells: cellsOf(bytes.toString('utf8'), separator), faults };
};

export class RecordReader {
  private readonly framer: RowFramer;
  private readonly shape: Shape;
  private hasWhole = false;

  constructor(
    header: CsvRecord,
    private readonly separator: string,
    line: number,
    private readonly options: CsvOptions,
  ) {
    this.shape = { separators: separator, width: header.cells.length, limits: options.limits };
    this.framer = new RowFramer({ ...this.shape, line });
  }

  *push(slice: Buffer): Generator<CsvRecord | ImportFault | null> {
    for (const row of this.framer.push(slice)) yield* this.read(row);
  }

  *end(): Generator<CsvRecord | ImportFault | null> {
    for (const row of this.framer.end()) {
      for (const item of this.read(row)) yield item === null || 'message' in item ? item : this.last(item);
    }
  }

  /** A last row without its line end may be a part of one, where the rows before have all cells. */
  private last(record: CsvRecord): CsvRecord {
    if (!this.hasWhole || record.cells.length >= this.shape.width) return record;
    return { ...record, faults: [...record.faults, 'The file ends within this row.'] };
  }

  private *read(row: Row): Generator<CsvRecord | ImportFault | null> {
    if (row.bytes === null || row.fault !== null) yield* this.recover(row, findResume(row, this.shape));
    else {
      const resume = this.isSuspect(row) ? findResume(row, this.shape) : null;
      if (resume === null) yield this.record(row, row.bytes);
      else yield* this.recover({ ...row, fault: 'unclosed_quote' }, resume);
    }
  }

  /**
   * True when a later quote may have closed one that was left open: a row of several lines with too
   * many cells or a bare quote.
   */
  private isSuspect(row: Row): boolean {
    return row.lastLine > row.line && (!row.isStrict || row.cells > this.shape.width);
  }

  private record(row: Row, bytes: Buffer): CsvRecord | null {
    const { width } = this.shape;
    // A spreadsheet may end in a million of these rows.
    if (this.isOnlySeparators(bytes)) return null;
    const record = readCells(row, bytes, this.separator, this.options);
    if (record.cells.every(isBlank)) return null;
    this.hasWhole ||= record.cells.length >= width;
    if (record.cells.length <= width || record.cells.slice(width).every(isBlank)) return record;
    const excess = `The row has ${record.cells.length} cells, but the header has ${width}.`;
    return { ...record, faults: [...record.faults, excess] };
  }

  private isOnlySeparators(bytes: Buffer): boolean {
    const separator = this.separator.charCodeAt(0);
    if (bytes.length === 1 && bytes[0] === CTRL_Z) return true;
    return bytes.every((byte) => byte === separator || byte === SPACE);
  }

  /** Reports a row that can't be read, and reads those that its quotes swallowed. */
  private *recover(row: Row, resume: ResumePlace | null): Generator<CsvRecord | ImportFault | null> {
    yield { line: row.line, message: rowFaultMessage(row, this.options.limits, resume?.line ?? null) };
    if (resume === null || row.bytes === null) return;
    const framer = new RowFramer({ ...this.shape, line: resume.line });
    for (const found of framer.push(row.bytes.subarray(resume.at))) yield* this.read(found);
    for (const found of framer.end()) yield* this.read(found);
  }
}
