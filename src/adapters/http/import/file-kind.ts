import type { UnreadProduct } from '../../../domain/catalogue/product-import.ts';
import { charsetOfMark } from './charset.ts';
import { peek } from './peek.ts';

/** Enough for what a file begins with, behind blank lines. */
const START_BYTES = 512;

const BY_BYTES: readonly (readonly [string, string])[] = [
  ['504b0304', 'The file is a workbook (.xlsx, .ods) or another ZIP archive. Save the sheet as CSV, or unpack the archive.'],
  ['d0cf11e0', 'The file is a workbook (.xls). Save the sheet as CSV.'],
  ['1f8b', 'The file is compressed with gzip. Unpack it first.'],
  ['25504446', 'The file is a PDF document.'],
];

const BY_TEXT = {
  csv: [
    [/^\s*</, 'The file is an HTML or XML document.'],
    [/^\s*[[{]/, 'The file is JSON. Write one product document per line, and send the file as NDJSON.'],
  ],
  ndjson: [
    [/^\s*</, 'The file is an HTML or XML document.'],
    [/^\s*\[/, 'The file is a JSON array. Write one product document per line.'],
  ],
} as const;

const UTF_16 = 'The file looks like UTF-16 without a byte-order mark. Give utf-16le as its charset.';

const otherKind = (start: Buffer, format: keyof typeof BY_TEXT, charset: string): string | null => {
  const hex = start.toString('hex', 0, 8);
  const [, message] = BY_BYTES.find(([bytes]) => hex.startsWith(bytes)) ?? [];
  if (message !== undefined) return message;
  if (charsetOfMark(start)?.startsWith('utf-16') || charset !== 'utf-8') return null;
  // Every other byte of ASCII is 0 there.
  if (/^(?:[1-9a-f].|.[1-9a-f])00(?:[1-9a-f].|.[1-9a-f])00/.test(hex)) return UTF_16;
  const text = start.toString('utf8').replace(/^\ufeff/, '');
  return BY_TEXT[format].find(([pattern]) => pattern.test(text))?.[1] ?? null;
};

/** The bytes of a file that may be of this format, or why it is not. */
export const sourceOf = async (
  source: AsyncIterable<Uint8Array>,
  format: keyof typeof BY_TEXT,
  charset: string,
): Promise<AsyncIterable<Uint8Array> | UnreadProduct> => {
  const { start, whole, leave } = await peek(source, START_BYTES);
  const message = otherKind(start, format, charset);
  if (message === null) return whole;
  // A generator that has not begun would not let its source go, and the rest of an upload could not be drained.
  await leave();
  return { line: 1, message, refusesFile: true };
};
