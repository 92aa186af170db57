import { isUtf8 } from 'node:buffer';

import { NAME_CHARSET } from '../../../domain/catalogue/product-import.ts';
import type { Row, RowLimits } from './csv-rows.ts';

const LF = 0x0a;

const lines = (first: number, last: number): string => (first === last ? `Line ${first}` : `Lines ${first} to ${last}`);

const reason = ({ fault, quoteLine }: Row, limits: RowLimits): string => {
  switch (fault) {
    case 'too_long':
      return `The row is longer than ${limits.bytes} bytes.`;
    case 'too_many_cells':
      return `The row has more than ${limits.cells} cells.`;
    case 'text_after_quote':
      return `The quoted cell that opens in line ${quoteLine} has text after its closing quote. Write a quote within a cell as two quotes.`;
    case 'blank_before_quote':
      return `Line ${quoteLine} has blanks between a separator and a quote. Remove the blanks.`;
    default:
      return `The quote that opens in line ${quoteLine} is never closed.`;
  }
};

/**
 * Says why the row is skipped, and what is skipped with it. Reading continues at `resumeLine` in
 * the row, or after the row if it is null.
 */
export const rowFaultMessage = (row: Row, limits: RowLimits, resumeLine: number | null): string => {
  const text = reason(row, limits);
  if (row.isOpen && resumeLine === null) {
    const quote = row.fault === 'too_long' ? ` The quote that opens in line ${row.quoteLine} is never closed.` : '';
    return `${text}${quote} The rest of the file, from line ${row.line}, could not be read.`;
  }
  const last = resumeLine === null ? row.lastLine : resumeLine - 1;
  return last > row.line ? `${text} ${lines(row.line, last)} are skipped.` : text;
};

/** The number of the first line that is not UTF-8; `bytes` are not, and begin in line `first`. */
const invalidLine = (bytes: Buffer, first: number): number => {
  let line = first;
  for (let from = 0; from < bytes.length; line += 1) {
    const end = bytes.indexOf(LF, from);
    if (end === -1 || !isUtf8(bytes.subarray(from, end))) return line;
    from = end + 1;
  }
  return line;
};

/** Message about bytes that are not in the charset of the file. */
export const charsetMessage = (bytes: Buffer, line: number, charset: string): string => {
  const hint = charset === 'utf-8' ? ` ${NAME_CHARSET}` : '';
  return `Line ${invalidLine(bytes, line)} is not valid ${charset.toUpperCase()}.${hint}`;
};
