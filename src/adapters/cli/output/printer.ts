import type { CliProcess, Output } from '../context.ts';
import { painter, plain, type Paint, type Style } from './style.ts';
import { fields, tabbed, table, cellText, type Cell, type TableColumn } from './table.ts';

export interface PrintFlags {
  readonly json?: boolean | undefined;
  readonly quiet?: boolean | undefined;
}

export interface ListFlags extends PrintFlags {
  readonly wide?: boolean | undefined;
}

export interface Styled {
  readonly text: string;
  readonly style: Style;
}

export interface Printer {
  readonly isForPeople: boolean;
  readonly isQuiet: boolean;
  readonly paint: Paint;
  list<T>(items: readonly T[], columns: readonly TableColumn<T>[]): void;
  /** Prints an object: a line for each field, with --json the document. `shown` leaves out nulls. */
  one(document: unknown, shown: Readonly<Record<string, Cell>>): void;
  line(document: unknown, cells: readonly (Cell | Styled)[]): void;
  /** The one value that a script wants, with --json the document. */
  bare(document: unknown, value: string): void;
  /** Data as it is, on standard output. */
  raw(text: string): void;
  /** A line for the person, on standard error. --quiet leaves it out. */
  say(text: string): void;
  sayMeanwhile(text: string): void;
}

/** Some terminals do not say their width, and some say 0. */
export const widthOf = ({ columns = 0 }: Output): number => (columns > 0 ? columns : 100);

const shownCell = (cell: Cell | Styled, paint: Paint): string =>
  cell !== null && typeof cell === 'object' ? paint(cell.style, plain(cell.text)) : cellText(cell);

/** Data goes to standard output, talk to standard error (clig.dev). */
export const createPrinter = ({ stdout, stderr, env }: CliProcess, { json, quiet, wide }: ListFlags): Printer => {
  const isTerminal = stdout.isTTY === true;
  const options = { columns: widthOf(stdout), paint: painter(stdout, env) };
  const write = (text: string): void => void stdout.write(text);
  const data = (document: unknown, text: () => string): void => {
    // The escapes of `plain` are those of JSON, so the value is the same.
    write(json === true ? `${plain(JSON.stringify(document))}\n` : text());
  };
  const say = (text: string): void => {
    if (quiet !== true) stderr.write(`${text}\n`);
  };
  return {
    isForPeople: isTerminal && json !== true,
    isQuiet: quiet === true,
    paint: options.paint,
    list: (items, columns) => {
      if (json === true) for (const item of items) data(item, () => '');
      else if (!isTerminal) write(tabbed(items, columns));
      else if (items.length === 0) say('Nothing found.');
      else write(table(items, columns, { ...options, now: Date.now(), isWide: wide === true }));
    },
    one: (document, shown) => {
      data(document, () => fields(shown, isTerminal ? options.paint : null));
    },
    line: (document, cells) => {
      data(document, () => `${cells.map((cell) => shownCell(cell, options.paint)).join(isTerminal ? '  ' : '\t')}\n`);
    },
    bare: (document, value) => {
      data(document, () => `${plain(value)}\n`);
    },
    raw: write,
    say,
    sayMeanwhile: (text) => {
      if (stderr.isTTY === true) say(text);
    },
  };
};
