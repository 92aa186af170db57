import type { CliProcess, Output } from '../context.ts';

/** The styles of SGR (ECMA-48) that the command line uses. */
const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], cyan: [36, 39] } as const;

export type Style = keyof typeof CODES;
export type Paint = (style: Style, text: string) => string;

/**
 * A style is marked by two characters that no text has, so that only what is painted here reaches a
 * terminal as a control sequence (safe-output.ts).
 */
const FIRST_MARK = 0xfdd0;
/** Marks the line as one that the next text replaces. */
export const CLEAR_LINE = '\uFDEF';

const markOf = (style: Style, end: 0 | 1): string =>
  String.fromCharCode(FIRST_MARK + 2 * Object.keys(CODES).indexOf(style) + end);

export const ESCAPE_SEQUENCES: ReadonlyMap<string, string> = new Map([
  [CLEAR_LINE, '\r\u001B[K'],
  ...(Object.keys(CODES) as Style[]).flatMap((style): [string, string][] => [
    [markOf(style, 0), `\u001B[${String(CODES[style][0])}m`],
    [markOf(style, 1), `\u001B[${String(CODES[style][1])}m`],
  ]),
]);

const NO: ReadonlySet<unknown> = new Set(['0', 'false']);

/** Paints text on a terminal only. NO_COLOR (no-color.org) and TERM=dumb turn it off, FORCE_COLOR on, FORCE_COLOR=0 off. */
export const painter = (output: Output, env: CliProcess['env']): Paint => {
  const forced = env['FORCE_COLOR'];
  const isWanted = forced || (output.isTTY === true && env['TERM'] !== 'dumb');
  if (!isWanted || NO.has(forced) || env['NO_COLOR']) return (_style, text) => text;
  return (style, text) => `${markOf(style, 0)}${text}${markOf(style, 1)}`;
};

// C0, DEL and C1 move the cursor, or end a line, as U+2028 and U+2029 do. Bidi_Control turns the direction of
// text. The last are the marks above.
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\uFDD0-\uFDEF]/gu;
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Text whose unprintable characters are shown as escapes, but those that `kept` has another text for. */
export const escaped = (text: string, kept: ReadonlyMap<string, string>): string =>
  text.replace(
    UNPRINTABLE,
    (found) => kept.get(found) ?? SHORT[found] ?? `\\u${found.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`,
  );

/** Stored text as one line that does nothing to a terminal: control characters are shown as escapes. */
export const plain = (text: string): string => escaped(text, new Map());
