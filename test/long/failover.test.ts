import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openPostgresBackend } from '../../src/adapters/bullmq/backend.ts';
import { openCopyConnection } from '../../src/adapters/prisma/connection/copy-connection.ts';
import { openDatabase, type Database } from '../../src/adapters/prisma/connection/database.ts';
import { openDedicated } from '../../src/adapters/prisma/connection/dedicated.ts';
import { compileStatement } from '../../src/adapters/prisma/connection/statement.ts';
import { checkReplication } from '../../src/adapters/prisma/doctor/replication-check.ts';
import { DatabaseUnavailable } from '../../src/domain/ports/transaction.ts';
import { openPair, urlAt, type Pair } from '../support/pair.ts';
import { pgbouncerAvailable, startPgBouncer } from '../support/pgbouncer.ts';
import { startLocally } from '../support/local-server.ts';
import { aStoreWithApp, bulk, call } from '../support/server.ts';
import { openTcpProxy } from '../support/tcp-proxy.ts';

const TIMELINE = compileStatement({
  text: 'SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline',
  row: { timeline: 'text' },
});

const WRITE = compileStatement({ text: 'INSERT INTO written SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8)' });

/** Slow statements are always under way, and each ends well before a retired connection is cut. */
const SLOW_TIMELINE = compileStatement({
  text: 'SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline FROM pg_sleep(0.05)',
  row: { timeline: 'text' },
});

const timelineOf = async (database: Database): Promise<string | undefined> => (await database.rows(TIMELINE))[0]?.timeline;

describe('a standby', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await openPair();
  });
  afterAll(() => pair.end());

  const opening = async (work: (database: Database) => Promise<unknown>): Promise<void> => {
    const database = openDatabase({ url: pair.standbyUrl, connections: 2, pipelined: true });
    try {
      await work(database);
    } finally {
      await database.close();
    }
  };
  const READ = compileStatement({ text: 'SELECT' });

  it.each<readonly [string, () => Promise<unknown>]>([
    ['the pool', () => opening((database) => database.execute(READ))],
    ['the shared connection', () => opening((database) => database.pipeline.execute(READ))],
    ['a transaction', () => opening((database) => database.transaction((sql) => sql.execute(READ)))],
    ['Prisma', () => opening((database) => database.prisma().$queryRaw`SELECT 1`)],
  ])('%s reads nothing of it', async (_, work) => {
    await expect(work()).rejects.toThrow(DatabaseUnavailable);
  });

  it.each<readonly [string, () => Promise<unknown>]>([
    [
      'a dedicated connection',
      () => {
        const nothing = (): void => undefined;
        const options = { name: 'tenon test', answerMs: 5_000, beatMs: 5_000, onNotification: nothing, onEnd: nothing };
        return openDedicated({ url: pair.standbyUrl, ...options });
      },
    ],
    ['a backup', () => openCopyConnection(pair.standbyUrl)],
    ['the queue', () => openPostgresBackend(pair.standbyUrl, () => undefined)],
  ])('%s does not open to it', async (_, open) => {
    await expect(open()).rejects.toThrow(/ is a standby$/);
  });
});

describe.skipIf(!pgbouncerAvailable)('a standby behind a pooler, which keeps back that it is one', () => {
  it('gives no backup', async () => {
    const pair = await openPair();
    const url = new URL(pair.primary.url);
    url.searchParams.set('host', decodeURIComponent(new URL(pair.standbyUrl).hostname));
    const pooler = await startPgBouncer(url.href, 'session');
    try {
      await expect(openCopyConnection(pooler.url)).rejects.toThrow(/ is a standby$/);
    } finally {
      await pooler.stop();
      await pair.end();
    }
  });
});

const causeOf = (error: unknown): string => String(error instanceof Error ? (error.cause ?? error) : error);

/** Busy on every connection, it leaves the server of timeline 1 once another is promoted. What is under way there ends in order. */
const leavesUnderLoad = async (url: string, promote: () => Promise<unknown>): Promise<void> => {
  const database = openDatabase({ url, connections: 3, pipelined: true });
  const seen = new Map<string, string | undefined>();
  const failures: string[] = [];
  let isOver = false;
  const load = async (name: string, sql: Pick<Database, 'rows'>): Promise<void> => {
    while (!isOver) {
      const [row] = await sql.rows(SLOW_TIMELINE).catch((error: unknown) => {
        failures.push(causeOf(error));
        return [];
      });
      if (row) seen.set(name, row.timeline);
    }
  };
  const loads = ['a', 'b', 'c', 'd'].flatMap((name) => [
    load(`pipeline ${name}`, database.pipeline),
    load(`pool ${name}`, database),
  ]);
  const present = () => [...new Set(seen.values())];
  try {
    await expect.poll(() => seen.size).toBe(8);
    expect(present()).toEqual(['00000001']);
    await promote();
    await expect.poll(present, { timeout: 15_000 }).toEqual(['00000002']);
    expect(failures.filter((failure) => failure.includes('The server of this connection is not the primary'))).toEqual([]);
  } finally {
    isOver = true;
    await Promise.all(loads);
    await database.close();
  }
};

it('one address that moves to another server: the connections to the old one end, while requests never pause', async () => {
  const pair = await openPair();
  const name = await openTcpProxy(pair.primary.url);
  await leavesUnderLoad(name.url, async () => name.leadTo((await pair.standby.promote()).url));
  name.leadTo(pair.primary.url);
  const movedBack = openDatabase({ url: name.url });
  const fault = await timelineOf(movedBack).catch((error: unknown) => error);
  await movedBack.close();
  await name.close();
  await pair.end();
  expect(fault).toBeInstanceOf(DatabaseUnavailable);
  expect(causeOf(fault)).toMatch(/is an old primary: its timeline is 1/);
});

describe('DATABASE_URL with two hosts', () => {
  it('leads to the primary, and after it is lost to the one that is promoted', async () => {
    const pair = await openPair();
    const server = await startLocally({ databaseUrl: pair.bothUrl });
    try {
      const app = await aStoreWithApp(server, { products: 1 });
      let tries = 0;
      const write = async () => {
        tries += 1;
        return (await bulk(server, app, `try-${String(tries)}`, [{ id: app.productIds[0], name: `Try ${String(tries)}` }]))
          .status;
      };
      const read = async () => (await call(`${server.url}/apps/catalog/products`, 'GET', app.headers)).status;
      expect([await write(), await read()]).toEqual([200, 200]);
      process.kill(pair.primary.pid, 'SIGQUIT');
      await expect.poll(read).toBe(503);
      await pair.standby.promote();
      await expect.poll(write).toBe(200);
      expect(await read()).toBe(200);
    } finally {
      await server.end();
      await pair.end();
    }
  });

  it('leaves an old primary that still runs', async () => {
    const pair = await openPair();
    const database = openDatabase({ url: pair.bothUrl, connections: 2, pipelined: true });
    try {
      expect(await timelineOf(database)).toBe('00000001');
      await pair.standby.promote();
      await expect.poll(() => timelineOf(database)).toBe('00000002');
      expect(await checkReplication(database, pair.bothUrl, { isEmbedded: false })).toMatchObject({
        result: 'warning',
        message: expect.stringMatching(/\(timeline 1\) takes writes as well as .*\(timeline 2\)$/),
      });
    } finally {
      await database.close();
      await pair.end();
    }
  });

  it('leaves an old primary that still runs, while requests never pause', async () => {
    const pair = await openPair();
    await leavesUnderLoad(pair.bothUrl, () => pair.standby.promote());
    await pair.end();
  });

  it('writes nothing to an old primary that still runs, while the promoted one is away', async () => {
    const pair = await openPair();
    const old = new pg.Client({ connectionString: pair.primary.url });
    await old.connect();
    await old.query('CREATE TABLE written (timeline text)');
    const database = openDatabase({ url: pair.bothUrl, connections: 2, pipelined: true });
    const write = () => database.execute(WRITE).catch((error: unknown) => error);
    try {
      await database.execute(WRITE);
      const promoted = await pair.standby.promote();
      // The old primary waits for no standby any more, so it acknowledges each write.
      await old.query(`ALTER SYSTEM SET synchronous_standby_names = ''`);
      await old.query('SELECT pg_reload_conf()');
      await expect.poll(() => timelineOf(database)).toBe('00000002');
      const before = (await old.query('SELECT FROM written')).rowCount;
      await promoted.stop();
      // Long enough to ask twice which server is the primary.
      for (const end = performance.now() + 11_000; performance.now() < end;) {
        expect(await write()).toBeInstanceOf(DatabaseUnavailable);
        await pause(100);
      }
      expect((await old.query('SELECT FROM written')).rowCount).toBe(before);
      await pair.restart();
      await expect.poll(write).not.toBeInstanceOf(Error);
      expect(await timelineOf(database)).toBe('00000002');
    } finally {
      await database.close();
      await old.end();
      await pair.end();
    }
  });

  it('says of each server why none is the primary', async () => {
    const database = openDatabase({ url: urlAt('/nowhere', '/not-there-either') });
    const fault = await database.execute(TIMELINE).catch((error: unknown) => error);
    await database.close();
    expect(String((fault as Error).cause)).toMatch(
      /No server is the primary: \/nowhere:5432: .*ENOENT.*; \/not-there-either:5432: /,
    );
  });
});
