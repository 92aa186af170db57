import { expect, it } from 'vitest';

import { plural } from '../../../src/domain/values/plural.ts';

it.each([
  ['0 keys', plural(0, 'key')],
  ['1 key', plural(1, 'key')],
  ['12,345 rows', plural(12_345, 'row')],
  ['1 delivery', plural(1, 'delivery', 'deliveries')],
  ['2 secrets were', plural(2, 'secret was', 'secrets were')],
  ['10000 images', plural(10_000, 'image', 'images', '10000')],
])('a count is said as %s', (expected, text) => {
  expect(text).toBe(expected);
});
