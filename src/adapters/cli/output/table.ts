import stringWidth from 'string-width';

import { plain, type Paint } from './style.ts';
import { relativeTime, shortTime } from './time.ts';

/** Lengths of a cut UUID: its first two groups are the millisecond of an id that Tenon makes. */
const LENGTHS = [13, 18, 23];

/** The least that each of these ids begins with and no other does. Every command takes it in place of the whole id. */
const shortIdLength = (ids: readonly string[]): number => {
  const distinct = new Set(ids);
  return LENGTHS.find((length) => new Set([...distinct].map((id) => id.slice(0, length))).size === distinct.size) ?? 36;
};

export type Cell = string | number | boolean | null | undefined;

export interface TableColumn<T> {
  readonly name: string;
  readonly of: (item: T) => Cell;
  readonly align?: 'right';
  /**
   * On a terminal, an id is shortened, an ISO 8601 time is relative, and a step is the minute in UTC that it begins with. Like a
   * text that must be `whole`, none of them is cut.
   */
  readonly kind?: 'id' | 'time' | 'step' | 'whole';
  /** When the terminal is too narrow: 1 is left out first. A column without it always stays. */
  readonly drop?: number;
  /** Minimum width of a column that is cut; 12 characters by default. */
  readonly least?: number;
  /** A text whose beginning and end tell it from others, such as an address, is cut between them. */
  readonly isCutWithin?: true;
}

const GAP = 2;
const NARROWEST = 12;

export const cellText = (cell: Cell): string => (cell === null || cell === undefined ? '' : plain(String(cell)));

/** The first characters that fit. */
const fitting = (characters: readonly string[], width: number): readonly string[] => {
  let taken = 0;
  const end = characters.findIndex((character) => (taken += stringWidth(character)) > width);
  return end === -1 ? characters : characters.slice(0, end);
};

const cut = (text: string, width: number, isCutWithin: boolean): string => {
  if (stringWidth(text) <= width) return text;
  const characters = Array.from(text);
  const ending = isCutWithin ? Math.floor((width - 1) / 2) : 0;
  const start = fitting(characters, width - 1 - ending).join('');
  return `${start}…${fitting(characters.toReversed(), ending).toReversed().join('')}`;
};

interface TableOptions {
  readonly columns: number;
  readonly paint: Paint;
  /** Milliseconds since the epoch, from which relative times count. */
  readonly now: number;
  /** Every column with its whole values, however wide the terminal is. */
  readonly isWide: boolean;
}

/** A column as a person reads it. */
interface Shown {
  readonly head: string;
  readonly cells: readonly string[];
  readonly isRight: boolean;
  readonly isCutWithin: boolean;
  readonly drop: number | undefined;
  readonly natural: number;
  /** Minimum width. */
  readonly least: number;
}

type Shorten = (text: string) => string;

const shortenerOf = (kind: TableColumn<never>['kind'], texts: readonly string[], { now, isWide }: TableOptions): Shorten => {
  if (kind === 'time') return (text) => (isWide ? shortTime(text) : relativeTime(text, now));
  if (kind === 'step' && !isWide) return (text) => shortTime(text).slice(0, 16);
  const length = kind === 'id' && !isWide ? shortIdLength(texts) : Infinity;
  return (text) => text.slice(0, length);
};

const shownColumn = <T>(items: readonly T[], column: TableColumn<T>, options: TableOptions): Shown => {
  const texts = items.map((item) => cellText(column.of(item)));
  const shorten = shortenerOf(column.kind, texts.filter(Boolean), options);
  const cells = texts.map((text) => (text === '' ? '' : shorten(text)));
  const head = column.name.toUpperCase();
  const natural = Math.max(stringWidth(head), ...cells.map((cell) => stringWidth(cell)));
  // A number that is cut is another number.
  const isWhole = column.kind !== undefined || column.align === 'right';
  const least = isWhole ? natural : Math.max(stringWidth(head), Math.min(natural, column.least ?? NARROWEST));
  const { align, drop, isCutWithin = false } = column;
  return { head, cells, isRight: align === 'right', isCutWithin, drop, natural, least };
};

const rowWidth = (widths: readonly number[]): number => widths.reduce((sum, width) => sum + width + GAP, -GAP);

/** Leaves columns out, in their order, until the others fit. */
const kept = (shown: readonly Shown[], columns: number): readonly Shown[] => {
  if (rowWidth(shown.map(({ least }) => least)) <= columns) return shown;
  const first = Math.min(...shown.map(({ drop = Infinity }) => drop));
  return first === Infinity
    ? shown
    : kept(
        shown.filter(({ drop }) => drop !== first),
        columns,
      );
};

/** Takes what is too much from the widest columns, so that a row fits in a line. */
const fitted = (shown: readonly Shown[], columns: number): readonly number[] => {
  const widths = shown.map(({ natural }) => natural);
  while (rowWidth(widths) > columns) {
    const spare = widths.map((width, at) => (width > (shown[at]?.least ?? 0) ? width : 0));
    const widest = spare.indexOf(Math.max(...spare));
    if ((spare[widest] ?? 0) === 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
};

export const table = <T>(items: readonly T[], columns: readonly TableColumn<T>[], options: TableOptions): string => {
  const width = options.isWide ? Infinity : options.columns;
  const shown = kept(
    columns.map((column) => shownColumn(items, column, options)),
    width,
  );
  const widths = fitted(shown, width);
  const line = (cellOf: (column: Shown) => string): string =>
    shown
      .map((column, at) => {
        const text = cut(cellOf(column), widths[at] ?? 0, column.isCutWithin);
        const space = ' '.repeat(Math.max(0, (widths[at] ?? 0) - stringWidth(text)));
        return column.isRight ? space + text : text + space;
      })
      .join(' '.repeat(GAP))
      .trimEnd();
  const rows = items.map((_, at) => line(({ cells }) => cells[at] ?? ''));
  return [
    options.paint(
      'bold',
      line(({ head }) => head),
    ),
    ...rows,
  ]
    .map((text) => `${text}\n`)
    .join('');
};

/** The rows for another program: no heading, whole values, a tab between two of them. */
export const tabbed = <T>(items: readonly T[], columns: readonly TableColumn<T>[]): string =>
  items.map((item) => `${columns.map(({ of }) => cellText(of(item))).join('\t')}\n`).join('');

/** The fields of one thing, a line each: aligned for a person, with a tab for another program (`paint` is null). */
export const fields = (shown: Readonly<Record<string, Cell>>, paint: Paint | null): string => {
  const rows = Object.entries(shown).filter(([, value]) => value !== null && value !== undefined);
  const width = Math.max(...rows.map(([name]) => name.length));
  const named = (name: string): string => (paint === null ? `${name}\t` : `${paint('dim', name.padEnd(width))}  `);
  return rows.map(([name, value]) => `${named(name)}${cellText(value)}\n`).join('');
};
