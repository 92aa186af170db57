import { nameMeant } from '../../../domain/values/nearest-name.ts';
import { shortened } from '../../../domain/values/text.ts';
import { plural } from '../../../domain/values/plural.ts';

/** The most names in a note, and the most characters of each. */
const MAX_NAMED = 50;
export const MAX_NAME = 60;

/** Number of changes, and the line of the first. */
export interface Changed {
  count: number;
  line: number;
}

export const unchanged = (): Changed => ({ count: 0, line: 0 });

export const count = (changed: Changed, line: number): void => {
  changed.count += 1;
  changed.line ||= line;
};

export const countOf = ({ count: found }: Changed, what: string): string => plural(found, what);
export const firstOf = ({ line }: Changed): string => `The first is in line ${line}.`;

/** A long code that a spreadsheet has written as a number: its other digits are lost. */
const DAMAGED = /^\d(?:[.,]\d+)?E\+\d+$/i;

export const isDamagedCode = (code: string | null | undefined): boolean => code != null && DAMAGED.test(code);

export const damagedNote = (damaged: Changed, places: Iterable<string>): string[] =>
  damaged.count === 0
    ? []
    : [
        `Codes such as 3.65E+11 look damaged by a spreadsheet: ${countOf(damaged, 'code')} in ${[...places].join(', ')}. ${firstOf(damaged)}`,
      ];

/** Something that is not read, as a note names it. */
export interface Unread {
  readonly text: string;
  /** True when another name was probably meant. */
  readonly isSlip: boolean;
}

/** With one of the absent names where that was probably meant. `shown` is the whole name. */
export const unreadName = (name: string, absent: readonly string[], shown = name): Unread => {
  const near = nameMeant(name, absent);
  const text = shortened(shown, MAX_NAME);
  return near === null ? { text, isSlip: false } : { text: `${text} (did you mean ${near}?)`, isSlip: true };
};

/** Probable slips come first, so that none is left out. */
export const unreadNote = (what: string, names: readonly Unread[]): string[] => {
  if (names.length === 0) return [];
  const sorted = [...names.filter(({ isSlip }) => isSlip), ...names.filter(({ isSlip }) => !isSlip)];
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  const listed = sorted.slice(0, MAX_NAMED).map(({ text }) => text);
  return [`These ${what} are not read: ${listed.join(', ')}${more}.`];
};

export const trimmedNote = (trimmed: Changed, places: Iterable<string>): string[] =>
  trimmed.count === 0
    ? []
    : [
        `Blanks at the ends of names and codes are not kept: ${countOf(trimmed, 'text')} in ${[...places].join(', ')}. ${firstOf(trimmed)}`,
      ];
