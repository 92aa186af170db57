import { expect, it } from 'vitest';

import { csvOf } from '../../console/pages/products/report-lines.ts';

it.each(['=HYPERLINK("x")', '+1', '-1', '@x', '\tx', '\rx'])('a spreadsheet runs no message as a formula: %j', (message) => {
  expect(csvOf([{ line: 7, message }])).toBe(`line,message\n7,"'${message.replaceAll('"', '""')}"`);
});

it('any other message is as it was', () => {
  expect(csvOf([{ line: 7, message: 'slug "a" = b' }])).toBe('line,message\n7,"slug ""a"" = b"');
});
