import { expect, it } from 'vitest';

import { pageOf, placedPageOf } from '../../src/domain/page.ts';

it.each([
  [{}, 0, 50],
  [{ skip: '10', take: '5' }, 10, 5],
  [{ skip: '-1', take: '-1' }, 0, 50],
  [{ skip: '-20', take: '-20' }, 0, 50],
  [{ skip: '1x', take: 'x1' }, 0, 50],
  [{ skip: 'x', take: '1.5' }, 0, 50],
  [{ skip: '', take: ' 5' }, 0, 50],
  [{ take: '0' }, 0, 1],
  [{ take: '1' }, 0, 1],
  [{ take: '250' }, 0, 250],
  [{ take: '251' }, 0, 250],
  [{ take: '9'.repeat(400) }, 0, 250],
  [{ skip: '9'.repeat(400) }, Number.MAX_SAFE_INTEGER, 50],
])(
  'skip 0, take 50, at most 250; negative or non-numeric values fall back to the default, take is clamped: %j',
  (query, skip, take) => {
    expect(pageOf(query)).toEqual({ skip, take });
  },
);

it('a page says behind which entry the list continues, and null at its end', () => {
  const entries = [1, 2, 3].map((n) => ({ id: `id ${String(n)}`, createdAt: `2026-11-25T00:00:00.00${String(n)}Z` }));
  const page = { skip: 4, take: 2 };
  const next = { at: Date.parse('2026-11-25T00:00:00.002Z'), id: 'id 2' };
  expect(placedPageOf(entries, page, 7)).toEqual({ ...page, items: entries.slice(0, 2), total: 7, next });
  expect(placedPageOf(entries.slice(0, 2), page, 6)).toEqual({ ...page, items: entries.slice(0, 2), total: 6, next: null });
  expect(placedPageOf([], page, 0).next).toBeNull();
});
