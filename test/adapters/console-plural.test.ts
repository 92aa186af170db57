import { expect, it } from 'vitest';

import { ofTotal, onThisPage, plural } from '../../console/parts/plural.ts';

it('a count has its noun, which is in the singular for one alone', () => {
  expect([plural(1, 'row'), plural(2, 'row'), plural(0, 'delivery', 'deliveries')]).toEqual(['1 row', '2 rows', '0 deliveries']);
  expect(plural(12_345, 'row')).toBe(`${(12_345).toLocaleString()} rows`);
});

it('a page of a list says how many are on it, or of how many', () => {
  expect([onThisPage([1], 'event'), onThisPage([], 'delivery', 'deliveries')]).toEqual([
    '1 event on this page',
    '0 deliveries on this page',
  ]);
  expect([ofTotal([1], 1, 'store'), ofTotal([1], 2, 'store'), ofTotal([], 1, 'store')]).toEqual([
    '1 store',
    '1 of 2 stores',
    '0 of 1 store',
  ]);
});
