import type { CliProcess, Output } from '../context.ts';

/** The styles of SGR (ECMA-48) that the command line uses. */
const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], cyan: [36, 39] } as const;

export type Style = keyof typeof CODES;
export type Paint = (style: Style, text: string) => string;

/** Paints text on a terminal only. NO_COLOR (no-color.org) and TERM=dumb turn it off, FORCE_COLOR on. */
export const painter = (output: Output, env: CliProcess['env']): Paint => {
  const wanted = env['FORCE_COLOR'] || (output.isTTY === true && env['TERM'] !== 'dumb');
  if (!wanted || env['NO_COLOR']) return (_style, text) => text;
  return (style, text) => `\u001B[${String(CODES[style][0])}m${text}\u001B[${String(CODES[style][1])}m`;
};

// C0, DEL and C1: they move the cursor, or end a line. The others of Cf turn the direction of text.
const UNPRINTABLE = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Stored text as one line that does nothing to a terminal: control characters are shown as escapes. */
export const plain = (text: string): string =>
  text.replace(UNPRINTABLE, (found) => SHORT[found] ?? `\\u${found.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`);
