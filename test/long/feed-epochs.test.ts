import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/adapters/embedded/postgres.ts';
import { openDatabase } from '../../src/adapters/prisma/connection/database.ts';
import { BEGIN_RESTORED_EPOCH } from '../../src/adapters/prisma/connection/epochs.ts';
import { migrate } from '../../src/adapters/prisma/connection/migrate.ts';
import { compileStatement } from '../../src/adapters/prisma/connection/statement.ts';
import { formatFirstCursor } from '../../src/domain/webhooks/feed-cursor.ts';
import { latch } from '../support/latch.ts';
import { startLocally, type LocalServer } from '../support/local-server.ts';
import { openPair, type Pair } from '../support/pair.ts';
import { aStoreWithApp, call, type StoreWithApp } from '../support/server.ts';
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

describe('an epoch begins before the first answer', () => {
  const EPOCHS = compileStatement({ text: 'SELECT number::int AS n FROM epochs ORDER BY number', row: { n: 'int4' } });
  let dataDir = '';
  let server: EmbeddedPostgres;
  const start = async (): Promise<void> => {
    server = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' }, onUnexpectedExit: () => undefined });
  };
  const epochs = async (): Promise<number> => {
    const database = openDatabase({ url: server.url, connections: 3, pipelined: true });
    const both = await Promise.all([database.rows(EPOCHS), database.pipeline.rows(EPOCHS)]);
    await database.close();
    expect(both[0]).toEqual(both[1]);
    return both[0].length;
  };
  const once = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
    const client = new pg.Client({ connectionString: server.url });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'tenon-epochs-'));
    await start();
    const database = openDatabase({ url: server.url, connections: 2 });
    await migrate(database);
    await database.close();
  });
  afterAll(async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('the migrations begin the first, and a connection more begins none', async () => {
    expect([await epochs(), await epochs()]).toEqual([1, 1]);
  });

  it('of a start of the server', async () => {
    await server.stop();
    await start();
    expect(await Promise.all([epochs(), epochs()])).toEqual([2, 2]);
  });

  it('of a recovery after the crash of one process, without a start', async () => {
    const STARTED = 'SELECT pg_postmaster_start_time()::text AS at';
    const startedAt = async () => (await once((client) => client.query<{ at: string }>(STARTED))).rows[0]?.at;
    const [before, crashed] = [await startedAt(), await epochs()];
    await once(async (client) => {
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const ended = new Promise((resolve) => client.once('end', resolve));
      process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
      await ended;
    });
    // The server may still accept a connection before it has noticed.
    await expect.poll(() => epochs().catch(() => null)).toBe(crashed + 1);
    expect(await startedAt()).toBe(before);
  });

  it('of a dump that is loaded into a server that runs on', async () => {
    const before = await epochs();
    await once(async (client) => {
      await client.query(
        'CREATE TABLE loaded (LIKE epochs INCLUDING ALL); INSERT INTO loaded OVERRIDING SYSTEM VALUE SELECT * FROM epochs',
      );
      await client.query(`SELECT setval(pg_get_serial_sequence('loaded', 'number'), (SELECT max(number) FROM epochs))`);
      await client.query('DROP TABLE epochs; ALTER TABLE loaded RENAME TO epochs');
    });
    expect(await epochs()).toBe(before + 1);
  });

  it('of two imports that end together: each gets its own', async () => {
    const before = await epochs();
    const database = openDatabase({ url: server.url, connections: 3 });
    try {
      const both = new Set<string>();
      const together = latch();
      const begin = (name: string) =>
        database.transaction(async (sql) => {
          await sql.execute(BEGIN_RESTORED_EPOCH);
          both.add(name);
          if (both.size === 2) together.open();
          await together.opened;
        });
      await Promise.all([begin('one'), begin('other')]);
    } finally {
      await database.close();
    }
    expect(await epochs()).toBe(before + 2);
  });
});
