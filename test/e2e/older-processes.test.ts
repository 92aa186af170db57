import { afterAll, beforeAll, expect, it } from 'vitest';
import pg from 'pg';

import { endOfUpgrade } from '../../src/adapters/prisma/connection/older-processes.ts';
import { eventFeed } from '../../src/adapters/prisma/webhooks/feed/event-feed.ts';
import { firstPlaceAt } from '../../src/domain/webhooks/feed-place.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';

const storeId = '019a0000-0000-7000-8000-0000000000f2';
const query = { storeId, installationId: null, types: null, take: 10 };

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
  await database.query(`INSERT INTO stores (id, domain, name, currency) VALUES ($1, 'first.test', 'S', 'EUR')`, [storeId]);
});
afterAll(() => database.close());

const setHead = (head: number) =>
  database.query(
    'INSERT INTO feed_heads (store_id, head) VALUES ($1, $2) ON CONFLICT (store_id) DO UPDATE SET head = excluded.head',
    [storeId, head],
  );

it('a new database seals its cursors', async () => {
  await setHead(3);
  expect(await eventFeed(database).newest(storeId)).not.toHaveProperty('isFirst');
});

it('a node gives out cursors of the first version until no older process is connected, and bounds them then for good', async () => {
  await database.query('UPDATE schema_generation SET sealed_cursors = false');
  const older = new pg.Client({ connectionString: database.url, application_name: 'tenon requests' });
  await older.connect();
  const look = endOfUpgrade(database, { quietLooks: 2 });
  const feed = eventFeed(database);
  for (let n = 0; n < 5; n += 1) await look();
  expect(await feed.newest(storeId)).toEqual(firstPlaceAt(3));
  expect(await feed.read({ ...query, after: firstPlaceAt(1) })).toMatchObject({ next: firstPlaceAt(3) });

  await setHead(5);
  await older.end();
  await expect
    .poll(async () => {
      await look();
      return feed.newest(storeId);
    })
    .not.toHaveProperty('isFirst');
  expect(await feed.read({ ...query, after: firstPlaceAt(5) })).toMatchObject({ kind: 'page' });
  const forged = await feed.read({ ...query, after: firstPlaceAt(6) });
  expect(forged).toMatchObject({ kind: 'expired', reason: 'history_changed', oldest: { position: 5 } });
  await setHead(9);
  expect(await feed.read({ ...query, after: firstPlaceAt(6) })).toEqual(forged);
  expect(await feed.read({ ...query, after: firstPlaceAt(9) })).toEqual(forged);
});
