import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';

import { startEmbeddedPostgres } from '../../src/adapters/embedded/postgres.ts';
import { openDatabase } from '../../src/adapters/prisma/connection/database.ts';
import { migrate } from '../../src/adapters/prisma/connection/migrate.ts';
import { compileStatement } from '../../src/adapters/prisma/connection/statement.ts';
import { formatFirstCursor } from '../../src/domain/webhooks/feed-cursor.ts';
import { startLocally } from '../support/local-server.ts';
import type { LocalServer } from '../support/local-server.ts';
import { openPair } from '../support/pair.ts';
import type { Pair } from '../support/pair.ts';
import { aStoreWithApp, call } from '../support/server.ts';
import type { StoreWithApp } from '../support/server.ts';
import { pay } from '../support/webhooks.ts';

interface Page {
  readonly items: readonly { readonly data: { readonly id: string } }[];
  readonly next: string;
}

const get = (server: LocalServer, app: StoreWithApp, after: string) =>
  call(`${server.url}/apps/events?wait=20&after=${after}`, 'GET', app.headers);
const read = async (server: LocalServer, app: StoreWithApp, after: string): Promise<Page> => {
  const answer = await get(server, app, after);
  expect(answer.status, answer.body).toBe(200);
  return JSON.parse(answer.body) as Page;
};
const idsOf = ({ items }: Page): string[] => items.map(({ data }) => data.id.slice('order-'.length));

/** Reads on from the cursor until it has this many events. */
const walk = async (server: LocalServer, app: StoreWithApp, after: string, count: number) => {
  const ids: string[] = [];
  let next = after;
  while (ids.length < count) {
    const page = await read(server, app, next);
    ids.push(...idsOf(page));
    ({ next } = page);
  }
  return { ids, next };
};

/** From now on the standby gets nothing, and no commit waits for it. */
const detach = async ({ primary }: Pair): Promise<void> => {
  const client = new pg.Client({ connectionString: primary.url });
  await client.connect();
  try {
    const file = (await client.query<{ hba_file: string }>('SHOW hba_file')).rows[0]?.hba_file ?? '';
    await writeFile(file, `local replication all reject\n${await readFile(file, 'utf8')}`);
    await client.query(`ALTER SYSTEM SET synchronous_standby_names = ''`);
    await client.query('SELECT pg_reload_conf()');
    const END = 'SELECT pg_terminate_backend(pid) FROM pg_stat_replication';
    await expect.poll(async () => (await client.query(END)).rowCount).toBe(0);
  } finally {
    await client.end();
  }
};

it('a promotion that lost events tells the readers that had passed them, and they miss nothing', async () => {
  const pair = await openPair();
  const server = await startLocally({ databaseUrl: pair.bothUrl });
  try {
    const app = await aStoreWithApp(server, { scopes: ['read_orders'], products: 0 });
    const { next: begin } = await read(server, app, 'latest');
    const kept = [await pay(server, app.storeId), await pay(server, app.storeId)];
    const early = await walk(server, app, begin, 2);
    expect(early.ids.toSorted()).toEqual(kept.toSorted());
    await detach(pair);
    for (let n = 0; n < 3; n += 1) await pay(server, app.storeId);
    const late = await walk(server, app, early.next, 3);

    process.kill(pair.primary.pid, 'SIGQUIT');
    await pair.standby.promote();
    await expect.poll(async () => (await get(server, app, 'latest')).status).toBe(200);
    // More than were lost: the positions are given again.
    const fresh: string[] = [];
    for (let n = 0; n < 4; n += 1) fresh.push(await pay(server, app.storeId));
    expect((await walk(server, app, early.next, 4)).ids).toEqual(fresh);

    const refused = await get(server, app, late.next);
    expect(refused.status).toBe(410);
    const { reason, oldest } = JSON.parse(refused.body) as { reason: string; oldest: string };
    expect(reason).toBe('history_changed');
    expect((await walk(server, app, oldest, 4)).ids).toEqual(fresh);
    expect((await get(server, app, formatFirstCursor(app.storeId, 10 ** 6))).status).toBe(410);
  } finally {
    await server.end();
    await pair.end();
  }
});

it('a promotion that lost nothing leaves every cursor valid', async () => {
  const pair = await openPair();
  const server = await startLocally({ databaseUrl: pair.bothUrl });
  try {
    const app = await aStoreWithApp(server, { scopes: ['read_orders'], products: 0 });
    const { next: begin } = await read(server, app, 'latest');
    const ids = [await pay(server, app.storeId)];
    const { next } = await walk(server, app, begin, 1);
    process.kill(pair.primary.pid, 'SIGQUIT');
    await pair.standby.promote();
    await expect.poll(async () => (await get(server, app, 'latest')).status).toBe(200);
    ids.push(await pay(server, app.storeId));
    expect((await walk(server, app, next, 1)).ids).toEqual(ids.slice(1));
    expect((await walk(server, app, begin, 2)).ids).toEqual(ids);
  } finally {
    await server.end();
    await pair.end();
  }
});

it('a start of the server has its epoch before the first answer; a connection more begins none', async () => {
  const EPOCHS = compileStatement({ text: 'SELECT number::int AS n FROM epochs ORDER BY number', row: { n: 'int4' } });
  const dataDir = await mkdtemp(join(tmpdir(), 'tenon-epochs-'));
  const started = async (work: (url: string) => Promise<void>): Promise<void> => {
    const server = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' }, onUnexpectedExit: () => undefined });
    try {
      await work(server.url);
    } finally {
      await server.stop();
    }
  };
  const numbers = async (url: string): Promise<number[]> => {
    const database = openDatabase({ url, connections: 3, pipelined: true });
    const both = await Promise.all([database.rows(EPOCHS), database.pipeline.rows(EPOCHS)]);
    await database.close();
    expect(both[0]).toEqual(both[1]);
    return both[0].map(({ n }) => n);
  };
  try {
    await started(async (url) => {
      const database = openDatabase({ url, connections: 2 });
      await migrate(database);
      await database.close();
      expect(await numbers(url)).toEqual([0]);
    });
    await started(async (url) => {
      expect(await Promise.all([numbers(url), numbers(url)])).toEqual([
        [0, 1],
        [0, 1],
      ]);
    });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
