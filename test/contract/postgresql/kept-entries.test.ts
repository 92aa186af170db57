import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { systemClock } from '../../../src/adapters/node/clock.ts';
import { createPrismaPorts } from '../../../src/adapters/prisma/ports.ts';
import { sequentialIds } from '../../memory/ids.ts';
import { openTestDatabase, type TestDatabase } from '../../support/postgres.ts';

const ENTRIES = 100;
const [storeId, ended, next] = [randomUUID(), randomUUID(), randomUUID()];

let database: TestDatabase;
let ports: ReturnType<typeof createPrismaPorts>;
beforeAll(async () => {
  database = await openTestDatabase();
  ports = createPrismaPorts(database, { clock: systemClock, ids: sequentialIds(), idempotencyTtlSeconds: 60 });
  await database.query(`INSERT INTO stores (id, domain, name, currency) VALUES ($1, 'a.test', 'A', 'EUR')`, [storeId]);
  await database.query(
    `INSERT INTO installations (store_id, id, name, client_id, scopes, status, uninstalled_at, entries_until)
     SELECT $1, i.id, 'App', i.id, '{}', i.status, CASE WHEN i.status = 'Uninstalled' THEN now() END, CASE WHEN i.status = 'Uninstalled' THEN now() END FROM (VALUES ($2::uuid, 'Uninstalled'), ($3::uuid, 'Installed')) AS i(id, status)`,
    [storeId, ended, next],
  );
  await database.query(`INSERT INTO metaobject_definitions (store_id, type, name, fields) VALUES ($1, 'chart', 'Chart', '[]')`, [
    storeId,
  ]);
  await database.query(
    `INSERT INTO metaobject_entries (store_id, id, installation_id, type, handle, fields)
     SELECT $1, gen_random_uuid(), $2, 'chart', 'entry-' || n, '{}' FROM generate_series(1, ${ENTRIES}) n`,
    [storeId, ended],
  );
});
afterAll(() => database.close());

it('the sweep erases no entry of an installation that another transaction has', async () => {
  const client = await database.pool.connect();
  try {
    await client.query('BEGIN');
    // Takes over entries whose time has ended meanwhile.
    const taken = 'UPDATE installations SET entries_key = CASE WHEN id = $2 THEN $3 ELSE $2 END::uuid WHERE id IN ($2, $3)';
    await client.query(`${taken} AND store_id = $1`, [storeId, next, ended]);
    expect(await ports.metaobjects.purgeKept(10)).toBe(0);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
  expect(await ports.metaobjects.purgeKept(10)).toBe(0);
  expect(await ports.metaobjects.definition(storeId, 'chart')).toMatchObject({ entries: ENTRIES, keptEntries: 0 });
});

it('the sweep leaves an entry that another transaction has, and takes it the next time', async () => {
  await database.query('UPDATE installations SET entries_key = NULL WHERE store_id = $1', [storeId]);
  const client = await database.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(`SELECT FROM metaobject_entries WHERE store_id = $1 AND handle = 'entry-1' FOR UPDATE`, [storeId]);
    expect(await ports.metaobjects.purgeKept(2 * ENTRIES)).toBe(ENTRIES - 1);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
  expect(await ports.metaobjects.purgeKept(2 * ENTRIES)).toBe(1);
});
