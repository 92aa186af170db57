import type { ImportReport } from '../../api/types.ts';

/** A spreadsheet would run a text that begins so as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

const cellOf = (text: string): string => `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

/** The lines of a report as CSV (RFC 4180). */
export const csvOf = (lines: ImportReport['errors']): string =>
  ['line,message', ...lines.map(({ line, message }) => `${line},${cellOf(message)}`)].join('\n');
