import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';

import { manualClock } from '../memory/clock.ts';
import { sequentialIds } from '../memory/ids.ts';
import { EXIT } from '../../src/adapters/cli/failure.ts';
import { GENERATION } from '../../src/adapters/prisma/connection/generation.ts';
import { OutdatedProcess } from '../../src/adapters/storage/outdated-process.ts';
import { migrate } from '../../src/adapters/prisma/connection/migrate.ts';
import { deliveryRepository } from '../../src/adapters/prisma/webhooks/queue/delivery-repository.ts';
import { openApp, type OpenApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { runMain } from '../support/main-process.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { SETTINGS } from '../support/server.ts';

const [OWN, NEXT] = [String(GENERATION), String(GENERATION + 1)];
const RAISE = `UPDATE schema_generation SET present = ${NEXT}, oldest_process = ${NEXT}`;
/** Raises the generation, as the migration of a later version does. */
const LEAVE_BEHIND = `BEGIN; LOCK TABLE schema_generation; ${RAISE}; COMMIT`;
const SENTENCE = `The database needs generation ${NEXT} of Tenon or a later one and this process has ${OWN}: install the version that migrated the database.`;
const STORE = '019a0000-0000-7000-8000-0000000000b1';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
  await database.query(`INSERT INTO stores (id, domain, name, currency) VALUES ('${STORE}', 'old.test', 'S', 'EUR')`);
});
afterEach(async () => {
  await database.query(`UPDATE schema_generation SET present = ${OWN}, oldest_process = ${OWN}; TRUNCATE pending_events`);
});
afterAll(() => database.close());

const run = (env: Readonly<Record<string, string>> = {}) =>
  runMain({ env: { ...SETTINGS, LOG_LEVEL: 'info', DATABASE_URL: database.url, ...env } });
const pend = () => database.query(`INSERT INTO pending_events (store_id, event_id) VALUES ('${STORE}', gen_random_uuid())`);
const pending = async () => (await database.query('SELECT FROM pending_events')).length;

it.each([
  ['alone', {}],
  ['with API processes', { WORKERS: '2' }],
  ['as a worker', { ROLE: 'worker' }],
])('a process that the schema leaves behind stops with one sentence, and does not start again: %s', async (_how, env) => {
  const running = run(env);
  await running.says('"msg":"listening"');
  await database.query(LEAVE_BEHIND);
  expect([await running.ended, running.err()]).toEqual([EXIT.outdated, `tenon: ${SENTENCE}\n`]);
  const again = run(env);
  expect([await again.ended, again.err()]).toEqual([EXIT.outdated, `tenon: ${SENTENCE}\n`]);
});

it('systemd does not start such a process again', async () => {
  expect(await readFile('deploy/tenon.service', 'utf8')).toContain(`\nRestartPreventExitStatus=${String(EXIT.outdated)}\n`);
});

it('a fan-out of a process that the schema has left behind takes no event, also within the second before it looks', async () => {
  await pend();
  await database.query(LEAVE_BEHIND);
  const deliveries = deliveryRepository(database, { clock: manualClock(), ids: sequentialIds() });
  await expect(deliveries.fanOut(STORE, 10)).rejects.toThrow(OutdatedProcess);
  expect(await pending()).toBe(1);
});

it('a migration that raises the generation waits for the fan-outs that run, and the fan-outs that come for it', async () => {
  const deliveries = deliveryRepository(database, { clock: manualClock(), ids: sequentialIds() });
  await pend();
  const client = await database.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('LOCK TABLE schema_generation');
    const refused = expect(deliveries.fanOut(STORE, 10)).rejects.toThrow(OutdatedProcess);
    await eventually(async () => {
      expect(
        await database.query(`SELECT FROM pg_locks WHERE relation = 'schema_generation'::regclass AND NOT granted`),
      ).toHaveLength(1);
    });
    await client.query(RAISE);
    await client.query('COMMIT');
    await refused;
    expect(await pending()).toBe(1);
  } finally {
    client.release();
  }
});

it('a database that allows the generation of this build is migrated as ever', async () => {
  await database.query(`UPDATE schema_generation SET present = ${NEXT}`);
  await migrate(database);
});

it('/readyz is 503 with the sentence while such a process still answers', async () => {
  const app: OpenApp = await openApp();
  try {
    const ready = () => fetch(`${app.url}/readyz`);
    expect((await ready()).status).toBe(200);
    await app.database.query(LEAVE_BEHIND);
    await eventually(async () => {
      const answer = await ready();
      expect([answer.status, await answer.json()]).toMatchObject([503, { status: 'unavailable', message: SENTENCE }]);
    });
  } finally {
    await app.close();
  }
});
