import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { openDatabase, type Database } from '../../src/adapters/prisma/connection/database.ts';
import { migrate, migrateRest, migrationsCheck } from '../../src/adapters/prisma/connection/migrate.ts';
import { insideTransaction } from '../../src/adapters/prisma/connection/migrations.ts';
import { endOfUpgrade } from '../../src/adapters/prisma/connection/older-processes.ts';
import { eventually } from '../support/eventually.ts';
import { anySql, createEmptyDatabase } from '../support/postgres.ts';

const NAME = '20990101000000_planned';
const SCRIPT =
  '-- Outside a transaction.\nCREATE INDEX CONCURRENTLY IF NOT EXISTS "events_request_id_idx" ON "events"("request_id");\n';
const STORE = '019a0000-0000-7000-8000-0000000000a1';

const closers: (() => Promise<unknown>)[] = [];
let url: string;
let folder: string;
let database: Database;

const open = (): Database => {
  const opened = openDatabase({ url });
  closers.unshift(() => opened.close());
  return opened;
};
const query = <Row extends object>(text: string): Promise<Row[]> => anySql(database).query<Row>(text);

const add = async (script = SCRIPT): Promise<void> => {
  await mkdir(join(folder, NAME));
  await writeFile(join(folder, NAME, 'migration.sql'), script);
};
const isValid = async (): Promise<boolean | undefined> =>
  (await query<{ v: boolean }>(`SELECT indisvalid AS v FROM pg_index WHERE indexrelid = to_regclass('events_request_id_idx')`))[0]
    ?.v;
const records = async (): Promise<number> =>
  (await query(`SELECT FROM "_prisma_migrations" WHERE migration_name = '${NAME}' AND finished_at IS NOT NULL`)).length;
const write = `INSERT INTO events (id, store_id, type, body) VALUES (gen_random_uuid(), '${STORE}', 'order.paid', '{}')`;

beforeEach(async () => {
  const empty = await createEmptyDatabase();
  url = empty.url;
  folder = await mkdtemp(join(tmpdir(), 'tenon-migrations-'));
  await cp('prisma/migrations', folder, { recursive: true });
  closers.push(empty.drop, () => rm(folder, { recursive: true }));
  database = open();
  await migrate(database, { folder });
  await query(`INSERT INTO stores (id, domain, name, currency) VALUES ('${STORE}', 'index.test', 'S', 'EUR')`);
  await query(write);
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

it('an index is built while others write, and a build that was killed in the middle is done again by the next start', async () => {
  await add();
  const writer = new pg.Client({ connectionString: url });
  await writer.connect();
  closers.unshift(() => writer.end());
  // A build waits for the writes that began before it.
  await writer.query('BEGIN');
  await writer.query(write);
  const killed = expect(migrate(open(), { folder })).rejects.toThrow(
    `Migration ${NAME} was interrupted, and the next start continues it`,
  );
  await eventually(async () => {
    expect(await isValid()).toBe(false);
  });
  const before = performance.now();
  for (let n = 0; n < 20; n += 1) await query(`SET lock_timeout = '1s'; ${write}`);
  expect(performance.now() - before).toBeLessThan(1_000);
  expect(await isValid()).toBe(false);
  await query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%CREATE INDEX CONCURRENTLY%' AND pid <> pg_backend_pid()`,
  );
  await killed;
  expect([await isValid(), await records()]).toEqual([false, 0]);
  await writer.query('COMMIT');
  await migrate(open(), { folder });
  expect([await isValid(), await records()]).toEqual([true, 1]);
});

it('nodes that start at once wait for the build without keeping it waiting', async () => {
  await add();
  await Promise.all([open(), open(), open()].map((node) => migrate(node, { folder })));
  expect([await isValid(), await records()]).toEqual([true, 1]);
});

it('a script without a transaction that does more than build an index is refused', async () => {
  await add(`${SCRIPT}DELETE FROM events;`);
  await expect(migrate(database, { folder })).rejects.toThrow(
    `Migration ${NAME} may only build one index outside a transaction, as CREATE INDEX CONCURRENTLY IF NOT EXISTS, or fill rows`,
  );
  expect([await isValid(), await records()]).toEqual([undefined, 0]);
});

it('a restore builds the same index in its transaction', () => {
  expect(insideTransaction({ name: NAME, checksum: '', script: SCRIPT })).toContain(
    '\nCREATE INDEX IF NOT EXISTS "events_request_id_idx"',
  );
});

const FILL = `-- Outside a transaction.
DO $$
DECLARE
  row record;
BEGIN
  FOR row IN SELECT id FROM events WHERE resource_id IS NULL ORDER BY id LOOP
    UPDATE events SET resource_id = 'filled' WHERE id = row.id;
    COMMIT;
  END LOOP;
END $$;
`;
const filled = async (): Promise<number> => (await query("SELECT FROM events WHERE resource_id = 'filled'")).length;

it('rows are filled in batches that stay, and a filling that was killed is done to its end by the next start', async () => {
  await query(write);
  await add(FILL);
  const writer = new pg.Client({ connectionString: url });
  await writer.connect();
  closers.unshift(() => writer.end());
  await writer.query('BEGIN');
  await writer.query('SELECT FROM events ORDER BY id DESC LIMIT 1 FOR UPDATE');
  const killed = expect(migrate(open(), { folder })).rejects.toThrow(`Migration ${NAME} was interrupted`);
  await eventually(async () => {
    expect(await filled()).toBe(1);
  });
  await query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%Outside a transaction%' AND pid <> pg_backend_pid()`,
  );
  await killed;
  expect([await filled(), await records()]).toEqual([1, 0]);
  await writer.query('COMMIT');
  await migrate(open(), { folder });
  expect([await filled(), await records()]).toEqual([2, 1]);
});

it('a restore fills the rows in its transaction', () => {
  expect(insideTransaction({ name: NAME, checksum: '', script: FILL })).not.toContain('COMMIT');
});

const TAKES_AWAY = '-- After the older processes. They read it.\nALTER TABLE events DROP COLUMN resource_id CASCADE;\n';

it('what older processes need is taken away when none of them was connected for some time', async () => {
  await add(TAKES_AWAY);
  const older = new pg.Client({ connectionString: url, application_name: 'tenon requests' });
  await older.connect();
  await migrate(database, { folder });
  expect([await records(), await migrationsCheck(database, folder)()]).toEqual([0, true]);
  const look = endOfUpgrade(database, { quietLooks: 2, folder });
  for (let n = 0; n < 5; n += 1) await look();
  expect(await records()).toBe(0);
  await older.end();
  await eventually(async () => {
    await look();
    expect(await records()).toBe(1);
  });
});

it('a table that is in use is not waited for, since requests would wait behind', async () => {
  await add(TAKES_AWAY);
  const reader = new pg.Client({ connectionString: url });
  await reader.connect();
  closers.unshift(() => reader.end());
  await reader.query('BEGIN');
  await reader.query('SELECT FROM events');
  await expect(migrateRest(database, folder)).rejects.toThrow('lock timeout');
  expect(await records()).toBe(0);
  await reader.query('COMMIT');
  await migrateRest(database, folder);
  expect(await records()).toBe(1);
});

it('a new database waits for nobody', async () => {
  await add(TAKES_AWAY);
  const empty = await createEmptyDatabase();
  const fresh = openDatabase({ url: empty.url });
  closers.unshift(() => fresh.close(), empty.drop);
  await migrate(fresh, { folder });
  expect(await anySql(fresh).query(`SELECT FROM "_prisma_migrations" WHERE migration_name = '${NAME}'`)).toHaveLength(1);
});

it('a script that takes something away does not wait before one that older processes can work with', async () => {
  await add(TAKES_AWAY);
  await mkdir(join(folder, '20990102000000_later'));
  await writeFile(join(folder, '20990102000000_later', 'migration.sql'), 'ALTER TABLE stores ADD COLUMN more TEXT;');
  await migrate(database, { folder });
  expect(await records()).toBe(1);
});
