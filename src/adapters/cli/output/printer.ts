import type { CliProcess, Output } from '../context.ts';
import { painter } from './style.ts';
import type { Paint } from './style.ts';
import { tabbed, table } from './table.ts';
import type { Cell, Column } from './table.ts';

export interface PrintFlags {
  readonly json?: boolean | undefined;
  readonly quiet?: boolean | undefined;
}

export interface Printer {
  /** True when standard output is a terminal and nobody asked for JSON. */
  readonly isForPeople: boolean;
  /** True when the person wants data only. */
  readonly isQuiet: boolean;
  readonly paint: Paint;
  /** A list: a table on a terminal, tab-separated values elsewhere, with --json a document a line. */
  list<T>(items: readonly T[], columns: readonly Column<T>[]): void;
  /** One thing: its fields a line each, with --json the document. `shown` leaves out what is null. */
  one(document: unknown, shown: Readonly<Record<string, Cell>>): void;
  /** Data as it is, on standard output. */
  raw(text: string): void;
  /** A line for the person, on standard error. --quiet leaves it out. */
  say(text: string): void;
}

/** Some terminals do not say their width, and some say 0. */
export const widthOf = ({ columns = 0 }: Output): number => (columns > 0 ? columns : 100);

/** Data goes to standard output, talk to standard error (clig.dev). */
export const createPrinter = ({ stdout, stderr, env }: CliProcess, { json, quiet }: PrintFlags): Printer => {
  const isTerminal = stdout.isTTY === true;
  const paint = painter(stdout, env);
  const write = (text: string): void => void stdout.write(text);
  const asJson = (document: unknown): void => {
    write(`${JSON.stringify(document)}\n`);
  };
  const printer: Printer = {
    isForPeople: isTerminal && json !== true,
    isQuiet: quiet === true,
    paint,
    list: (items, columns) => {
      if (json) items.forEach(asJson);
      else if (!isTerminal) write(tabbed(items, columns));
      else if (items.length === 0) printer.say('Nothing found.');
      else write(table(items, columns, { columns: widthOf(stdout), paint }));
    },
    one: (document, shown) => {
      if (json) {
        asJson(document);
        return;
      }
      const fields = Object.entries(shown).filter(([, value]) => value !== null && value !== undefined);
      const width = Math.max(...fields.map(([name]) => name.length));
      const rows = fields.map(([name, value]) => ({ name, value }));
      if (!isTerminal)
        write(
          tabbed(rows, [
            { name: 'name', of: (row) => row.name },
            { name: 'value', of: (row) => row.value },
          ]),
        );
      else
        for (const { name, value } of rows)
          write(`${paint('dim', name.padEnd(width))}  ${tabbed([value], [{ name, of: (cell) => cell }])}`);
    },
    raw: write,
    say: (text) => {
      if (!quiet) stderr.write(`${text}\n`);
    },
  };
  return printer;
};
