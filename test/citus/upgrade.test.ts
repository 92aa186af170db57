import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { openDatabase, type Database } from '../../src/adapters/prisma/connection/database.ts';
import { migrate, migrationsCheck } from '../../src/adapters/prisma/connection/migrate.ts';
import { FOLDER } from '../../src/adapters/prisma/connection/migrations.ts';
import { startCitus, type Citus } from '../support/citus.ts';
import { anySql } from '../support/postgres.ts';

const STORE = '11111111-1111-4111-8111-111111111111';

let folder: string;
let citus: Citus;
let database: Database;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-citus-'));
  citus = await startCitus(join(folder, 'nodes'));
  database = openDatabase({ url: citus.coordinator.url });
});
afterAll(async () => {
  await database.close();
  await citus.stop();
  await rm(folder, { recursive: true, force: true });
});

it('a Citus cluster whose tables have their places gets a new table and its rows at the next start', async () => {
  const older = join(folder, 'older');
  await cp(FOLDER, older, { recursive: true, filter: (path) => !basename(path).includes('store_domains') });
  await migrate(database, { folder: older });
  const sql = anySql(database);
  await sql.query(`INSERT INTO stores (id, domain, name, currency) VALUES ('${STORE}', 'old.test', 'S', 'EUR')`);

  await migrate(database);
  expect(await migrationsCheck(database)()).toBe(true);
  expect(await sql.query('SELECT domain, store FROM store_domains')).toEqual([{ domain: 'old.test', store: STORE }]);
  expect(
    await sql.query(`SELECT count(*)::int AS copies FROM citus_shards WHERE table_name = 'store_domains'::regclass`),
  ).toEqual([{ copies: 3 }]);
});
