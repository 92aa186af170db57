import { readFile, writeFile } from 'node:fs/promises';
import pg from 'pg';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { diagnose } from '../../src/adapters/wiring/doctor/diagnose.ts';
import type { Finding } from '../../src/adapters/storage/finding.ts';
import { configOf } from '../support/app.ts';
import { openPair, type Pair } from '../support/pair.ts';
import { startLocally, type LocalServer } from '../support/local-server.ts';
import { asAdmin, aStoreWithApp, bulk, call, SETTINGS, type StoreWithApp } from '../support/server.ts';

let pair: Pair;
let server: LocalServer;
let app: StoreWithApp;

beforeEach(async () => {
  pair = await openPair();
  server = await startLocally({ databaseUrl: pair.primary.url });
  // On a busy machine the new standby may be late, and the commit is refused.
  app = await vi.waitFor(() => aStoreWithApp(server, { products: 1 }), 60_000);
});
afterEach(async () => {
  await server.end();
  await pair.end();
});

/** A connection of the test's own, which waits for no standby. */
const asking = async <Row extends object>(text: string): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: pair.primary.url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
};

/** The standby gets nothing any more, and every commit still waits for it. Gives what brings it back. */
const sendAway = async (): Promise<() => Promise<unknown>> => {
  const file = (await asking<{ hba_file: string }>('SHOW hba_file'))[0]?.hba_file ?? '';
  const before = await readFile(file, 'utf8');
  await writeFile(file, `local replication all reject\n${before}`);
  await asking('SELECT pg_reload_conf()');
  const end = () => asking('SELECT pg_terminate_backend(pid) FROM pg_stat_replication');
  await expect.poll(end).toEqual([]);
  return async () => {
    await writeFile(file, before);
    await asking('SELECT pg_reload_conf()');
  };
};

const CONNECTED = `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'`;
const WAITING = `SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'`;
const waiting = () => asking<{ pid: number }>(WAITING);
const write = (key: string) => bulk(server, app, key, [{ id: app.productIds[0], name: `By ${key}` }]);
/** Takes no lock that another one waits for, so that each comes to its commit. */
const order = () => asAdmin(server, 'POST', `/admin/stores/${app.storeId}/events`, { type: 'order.paid', data: { id: 'order' } });
const read = async () => (await call(`${server.url}/apps/catalog/products`, 'GET', app.headers)).status;
const ready = async () => {
  const { status, body } = await call(`${server.url}/readyz`, 'GET');
  return { status, ...(JSON.parse(body) as { checks: Record<string, string> }).checks };
};

it('after a crash nothing is answered of what the standby may lack, until it has it', async () => {
  const bringBack = await sendAway();
  const first = write('first').catch(() => null);
  await expect.poll(async () => (await waiting()).length).toBeGreaterThan(0);
  // PostgreSQL recovers, with the same start time and timeline, and shows the commit.
  const [{ pid } = { pid: 0 }] = await waiting();
  process.kill(pid, 'SIGKILL');
  await first;
  const shown = () => asking<{ name: string }>('SELECT name FROM products').catch(() => []);
  await expect.poll(shown).toEqual([{ name: 'By first' }]);

  for (let n = 0; n < 40; n += 1) {
    expect([(await write('first')).status, await read()]).toEqual([503, 503]);
  }
  expect((await waiting()).length).toBeLessThan(5);
  expect((await asking(CONNECTED)).length).toBeLessThan(25);
  await bringBack();
  await expect.poll(async () => (await write('first')).status).toBe(200);
  await expect.poll(read).toBe(200);
});

it('without the standby writes are refused, reads continue, and the node is ready', async () => {
  const bringBack = await sendAway();
  const refused = new Set<number>();
  let tries = 0;
  const writers = Array.from({ length: 8 }, async () => {
    while ((tries += 1) <= 200) refused.add((await (tries % 2 === 0 ? write(`try-${String(tries)}`) : order())).status);
  });
  await Promise.all(writers);
  expect([...refused]).toEqual([503]);
  expect((await waiting()).length).toBeLessThan(25);
  expect(await read()).toBe(200);
  await expect.poll(ready).toMatchObject({ status: 200, database: 'ok', standby: 'degraded' });
  await bringBack();
  await expect.poll(async () => (await write('after')).status).toBe(200);
  await expect.poll(ready).toMatchObject({ status: 200, standby: 'ok' });
});

it('the doctor says once that a standby is missing', async () => {
  const examine = async () => {
    const config = configOf({ ...SETTINGS, DATABASE_URL: pair.primary.url });
    const databaseUrl = { ok: true, value: pair.primary.url } as const;
    const found: Finding[] = [];
    for await (const finding of diagnose({ config, databaseUrl, nodeVersion: process.version })) found.push(finding);
    return found.filter(({ result }) => result === 'failed' || result === 'warning');
  };
  expect(await examine()).toEqual([]);
  await sendAway();
  expect(await examine()).toEqual([
    {
      check: 'replication',
      result: 'warning',
      message: expect.stringContaining('writes wait for 1 more of synchronous_standby_names'),
      remedy: 'Start the standby, or take its name out of synchronous_standby_names.',
    },
  ]);
});
