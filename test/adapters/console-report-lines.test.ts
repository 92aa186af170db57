import Papa from 'papaparse';
import { expect, it } from 'vitest';

import { reportText } from '../../src/adapters/cli/commands/products/report-file.ts';
import { csvOf } from '../../console/pages/products/report-lines.ts';

it.each(['=HYPERLINK("x")', '+1', '-1', '@x', '\tx', '\rx'])('a spreadsheet runs no message as a formula: %j', (message) => {
  expect(csvOf([{ line: 7, message }])).toBe(`line,message\n7,"'${message.replaceAll('"', '""')}"`);
});

it('any other message is as it was', () => {
  expect(csvOf([{ line: 7, message: 'slug "a" = b' }])).toBe('line,message\n7,"slug ""a"" = b"');
});

it.each(['=1', '+1', '-1', '@x', '\tx', '\rx', "'=1", 'a, "b"', 'two\nlines', ' =1', '=1\n=2'])(
  'the console and the command line write the same cells: %j',
  (message) => {
    const lines = [{ line: 7, message }];
    const cells = (text: string) => Papa.parse(text.replace(/^\ufeff/, ''), { skipEmptyLines: true }).data;
    expect(cells(csvOf(lines))).toEqual(cells(reportText(lines)));
  },
);
