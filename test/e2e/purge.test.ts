import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { systemClock } from '../../src/adapters/node/clock.ts';
import { sequentialIds } from '../memory/ids.ts';
import { deliveryRepository } from '../../src/adapters/prisma/webhooks/queue/delivery-repository.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';

let database: TestDatabase;
beforeAll(async () => (database = await openTestDatabase()));
afterAll(() => database.close());

// No foreign key removes them: it would check each attempt that is written.
it('purging removes the attempts of old deliveries and keeps those of younger ones', async () => {
  const store = randomUUID();
  await database.query("INSERT INTO stores (id, domain, name, currency) VALUES ($1, 'purge.example', 'Purge', 'EUR')", [store]);
  for (const days of [40, 1]) {
    await database.query(
      `WITH event AS (INSERT INTO events (id, store_id, type, body) VALUES (gen_random_uuid(), $1, 'ping', '{}') RETURNING id),
         delivery AS (
           INSERT INTO deliveries (id, store_id, event_id, subscription_id, status, attempts, created_at)
           SELECT uuid7(now() - make_interval(days => $2)), $1, id, gen_random_uuid(), 'Delivered', 2, now() FROM event RETURNING id)
       INSERT INTO delivery_attempts (store_id, delivery_id, number, started_at, duration_ms)
       SELECT $1, id, number, now(), 1 FROM delivery, generate_series(1, 2) AS number`,
      [store, days],
    );
  }
  expect(await deliveryRepository(database, { clock: systemClock, ids: sequentialIds() }).purge(30, 10)).toBe(1);
  expect(await database.query('SELECT FROM deliveries')).toHaveLength(1);
  expect(
    await database.query('SELECT FROM delivery_attempts a JOIN deliveries d ON d.store_id = a.store_id AND d.id = a.delivery_id'),
  ).toHaveLength(2);
  expect(await database.query('SELECT FROM delivery_attempts')).toHaveLength(2);
});
