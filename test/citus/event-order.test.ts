import { afterAll, beforeAll, expect, it } from 'vitest';

import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';

const [STORE, OTHER] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
/** Simulates a worker whose clock is an hour ahead. */
const AHEAD = `(extract(epoch FROM now() - timestamptz '2000-01-01 00:00:00+00') * 1000000 + 3600000000)::bigint << 12`;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const pend = (storeId: string, first: number, count = 1) =>
  database.query('INSERT INTO pending_events (store_id, event_id) SELECT $1::uuid, e FROM unnest($2::uuid[]) e', [
    storeId,
    Array.from({ length: count }, (_, n) => id(first + n)),
  ]);
const inOrder = async (storeId: string): Promise<unknown[]> => {
  const rows = await database.query('SELECT event_id AS id FROM pending_events WHERE store_id = $1 ORDER BY seq', [storeId]);
  return rows.map((row) => row['id']);
};

it('events get their places in the order of the writes', async () => {
  await pend(STORE, 0, 100);
  await pend(STORE, 100, 1);
  expect(await inOrder(STORE)).toEqual(Array.from({ length: 101 }, (_, n) => id(n)));
});

it('an event comes behind those that wait, also where the clock is behind theirs', async () => {
  await database.query(`INSERT INTO pending_events (store_id, event_id, seq) VALUES ($1, $2, ${AHEAD})`, [OTHER, id(0)]);
  await pend(OTHER, 1, 3);
  await pend(OTHER, 4, 1);
  expect(await inOrder(OTHER)).toEqual([0, 1, 2, 3, 4].map(id));
});

it('writes at once get different numbers', async () => {
  await Promise.all(Array.from({ length: 10 }, (_, n) => pend(OTHER, 100 + n * 100, 100)));
  expect(await inOrder(OTHER)).toHaveLength(1005);
});
