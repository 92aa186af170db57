import { BEGIN_RESTORED_EPOCH } from '../../src/adapters/prisma/connection/epochs.ts';
import { expect, it } from 'vitest';

import { productReader } from '../../src/adapters/prisma/catalogue/product-reader.ts';
import { BEGINNING, ListBookmarks } from '../../src/adapters/prisma/catalogue/list-bookmarks.ts';
import { fillCatalogue } from '../../bench/support/catalogue.ts';
import { openTestDatabase } from '../support/postgres.ts';
import { ReadCache } from '../../src/adapters/prisma/reading/read-cache.ts';
import { storeKey } from '../../src/domain/store-key.ts';
import { contentOf } from './catalogue-worlds.ts';

it('ListBookmarks: the nearest up to a rank, one of each rank, the newest 64 of the newest 500 stores', () => {
  const bookmarks = new ListBookmarks();
  const A = storeKey('a');
  const at = (rank: number, version = '1') => ({ epoch: null, version, rank, createdAt: '2026-01-01', id: `${rank}` });
  expect(bookmarks.before(A, 500)).toBe(BEGINNING);
  for (let rank = 100; rank < 164; rank += 1) bookmarks.keep(A, at(rank));
  bookmarks.keep(A, at(120, '2'));
  expect(bookmarks.before(A, 99)).toBe(BEGINNING);
  expect(bookmarks.before(A, 120)).toEqual(at(120, '2'));
  expect(bookmarks.before(A, 900)).toEqual(at(163));
  expect(bookmarks.before(A, 100)).toEqual(at(100));
  bookmarks.keep(A, at(900));
  expect(bookmarks.before(A, 100)).toBe(BEGINNING);
  bookmarks.drop(A, bookmarks.before(A, 900));
  expect(bookmarks.before(A, 900)).toEqual(at(163));
  for (let store = 0; store < 499; store += 1) bookmarks.keep(storeKey(`${store}`), at(1));
  expect(bookmarks.before(A, 900)).toEqual(at(163));
  bookmarks.keep(storeKey('499'), at(1));
  expect(bookmarks.before(A, 900)).toBe(BEGINNING);
});

it('A page is read from the bookmark before it, until more has moved than is kept.', async () => {
  const database = await openTestDatabase();
  const storeId = '00000000-0000-4000-8000-000000000001';
  await database.prisma().store.create({ data: { id: storeId, domain: 'a.test', name: 'Store', currency: 'EUR' } });
  await fillCatalogue(database.pool, storeId, 300);
  const reader = productReader(database, { cache: new ReadCache(1) });
  const ids = async (skip: number): Promise<string[]> => {
    const page = contentOf(await reader.list(storeId, { skip, take: 50 }, {})) as { items: { id: string }[] };
    return page.items.map(({ id }) => id);
  };
  await ids(100);
  const before = await ids(150);
  // Nobody notes that it goes, so only who counts from the beginning sees it.
  await database.query(
    `UPDATE products SET deleted_at = now(), slug = NULL WHERE store_id = $1 AND id =
       (SELECT id FROM products WHERE store_id = $1 ORDER BY created_at, id LIMIT 1)`,
    [storeId],
  );
  expect(await ids(150)).toEqual(before);
  await database.query('UPDATE stores SET list_version = list_version + 1000 WHERE id = $1', [storeId]);
  expect(await ids(150)).toEqual(before);
  await database.query('UPDATE stores SET list_version = list_version + 1001 WHERE id = $1', [storeId]);
  const counted = await ids(150);
  expect(counted.slice(0, 49)).toEqual(before.slice(1));
  // Keeps a bookmark before the page, of this version and epoch.
  await ids(100);
  // Simulates a failover that lost the newest changes: the version is lower, and comes again.
  await database.query(
    `UPDATE products SET deleted_at = now(), slug = NULL WHERE store_id = $1 AND id =
       (SELECT id FROM products WHERE store_id = $1 AND deleted_at IS NULL ORDER BY created_at, id LIMIT 1)`,
    [storeId],
  );
  await database.query('UPDATE stores SET list_version = 0 WHERE id = $1', [storeId]);
  await database.execute(BEGIN_RESTORED_EPOCH);
  expect((await ids(150)).slice(0, 49)).toEqual(counted.slice(1));
  await database.close();
});
