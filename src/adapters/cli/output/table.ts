import stringWidth from 'string-width';

import { plain, type Paint } from './style.ts';

export type Cell = string | number | boolean | null | undefined;

export interface Column<T> {
  readonly name: string;
  readonly of: (item: T) => Cell;
  readonly align?: 'right';
}

const GAP = 2;
/** A column keeps at least this many characters. */
const NARROWEST = 8;

/** A cell as text of one line. */
export const cellText = (cell: Cell): string => (cell === null || cell === undefined ? '' : plain(String(cell)));

const cut = (text: string, width: number): string => {
  if (stringWidth(text) <= width) return text;
  let kept = '';
  for (const character of text) {
    if (stringWidth(kept) + stringWidth(character) > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
};

/**
 * Takes what is too much from the widest columns, so that a row fits in a line. The first column is
 * what a person copies, an id or a name: it stays whole.
 */
const fitted = (widths: number[], columns: number): number[] => {
  const made = [...widths];
  const most = columns - GAP * (widths.length - 1);
  while (made.reduce((sum, width) => sum + width, 0) > most) {
    const [, ...others] = made;
    const widest = made.indexOf(Math.max(...others), 1);
    if (widest === -1) break;
    if ((made[widest] ?? 0) <= NARROWEST) break;
    made[widest] = (made[widest] ?? 0) - 1;
  }
  return made;
};

export interface TableOptions {
  readonly columns: number;
  readonly paint: Paint;
}

export const table = <T>(items: readonly T[], columns: readonly Column<T>[], { columns: width, paint }: TableOptions): string => {
  const rows = items.map((item) => columns.map(({ of }) => cellText(of(item))));
  const heads = columns.map(({ name }) => name.toUpperCase());
  const natural = heads.map((head, at) => Math.max(stringWidth(head), ...rows.map((row) => stringWidth(row[at] ?? ''))));
  const widths = fitted(natural, width);
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => {
        const text = cut(cell, widths[at] ?? 0);
        const space = ' '.repeat(Math.max(0, (widths[at] ?? 0) - stringWidth(text)));
        return columns[at]?.align === 'right' ? space + text : text + space;
      })
      .join(' '.repeat(GAP))
      .trimEnd();
  return [paint('bold', line(heads)), ...rows.map(line)].map((text) => `${text}\n`).join('');
};

/** The rows for another program: no heading, a tab between two values. */
export const tabbed = <T>(items: readonly T[], columns: readonly Column<T>[]): string =>
  items.map((item) => `${columns.map(({ of }) => cellText(of(item))).join('\t')}\n`).join('');

/** The fields of one thing, a line each: aligned for a person, with a tab for another program (`paint` is null). */
export const fields = (shown: Readonly<Record<string, Cell>>, paint: Paint | null): string => {
  const rows = Object.entries(shown).filter(([, value]) => value !== null && value !== undefined);
  const width = Math.max(...rows.map(([name]) => name.length));
  const named = (name: string): string => (paint === null ? `${name}\t` : `${paint('dim', name.padEnd(width))}  `);
  return rows.map(([name, value]) => `${named(name)}${cellText(value)}\n`).join('');
};
