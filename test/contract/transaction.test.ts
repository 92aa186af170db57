import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { Watch } from '../../src/adapters/postgres/watch.ts';
import { openDatabase, type Database } from '../../src/adapters/prisma/connection/database.ts';
import { compileStatement } from '../../src/adapters/prisma/connection/statement.ts';
import { createPrismaPorts } from '../../src/adapters/prisma/ports.ts';
import { DatabaseUnavailable } from '../../src/domain/ports/transaction.ts';
import { freePort } from '../support/free-port.ts';
import { manualClock } from '../memory/clock.ts';
import { sequentialIds } from '../memory/ids.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';

describe('an enqueued statement', () => {
  const WRITE = compileStatement({ text: 'INSERT INTO sent VALUES ($n)', parameters: { n: 'int4' } });
  const FAIL = compileStatement({ text: 'SELECT 1 / $n::int', parameters: { n: 'int4' } });
  const WRITTEN = compileStatement({ text: 'SELECT n FROM sent ORDER BY n', row: { n: 'int4' } });
  let database: TestDatabase;
  const written = () => database.rows(WRITTEN);

  beforeAll(async () => {
    database = await openTestDatabase();
    await database.query('CREATE TABLE sent (n int)');
  });
  afterAll(() => database.close());

  it('is carried out in its turn and commits with the rest', async () => {
    const seen = await database.transaction(async (sql) => {
      sql.enqueue(WRITE, { n: 1 });
      return sql.rows(WRITTEN);
    });
    expect([seen, await written()]).toEqual([[{ n: 1 }], [{ n: 1 }]]);
  });
  it('gives its rows when the transaction has ended', async () => {
    const rows = await database.transaction((sql) => Promise.resolve(sql.enqueueRows(WRITTEN)));
    expect(rows()).toEqual([{ n: 1 }]);
  });
  it('fails the transaction with its error, though the COMMIT left with it', async () => {
    const run = database.transaction(async (sql) => {
      await sql.execute(WRITE, { n: 2 });
      sql.enqueue(FAIL, { n: 0 });
      sql.enqueue(WRITE, { n: 3 });
    });
    await expect(run).rejects.toThrow('division by zero');
    expect(await written()).toEqual([{ n: 1 }]);
  });
  it('fails the transaction with its error while commits wait for a standby', async () => {
    const stalled = vi.spyOn(Watch.prototype, 'isStalled', 'get').mockReturnValue(true);
    const run = database.transaction(async (sql) => {
      await sql.execute(WRITE, { n: 2 });
      sql.enqueue(FAIL, { n: 0 });
    });
    await expect(run).rejects.toThrow('division by zero');
    stalled.mockRestore();
  });
  it('fails with its error what waits for an answer after it', async () => {
    const run = database.transaction(async (sql) => {
      sql.enqueue(FAIL, { n: 0 });
      await sql.execute(WRITE, { n: 4 });
    });
    await expect(run).rejects.toThrow('division by zero');
    expect(await written()).toEqual([{ n: 1 }]);
  });
  it('does not hide the error of a statement before it that waits for an answer', async () => {
    const run = database.transaction(async (sql) => {
      const failing = sql.execute(FAIL, { n: 0 });
      sql.enqueue(WRITE, { n: 5 });
      await failing;
    });
    await expect(run).rejects.toThrow('division by zero');
    expect(await written()).toEqual([{ n: 1 }]);
  });
  it.each(['waits for an answer', 'waits for none'])('before BEGIN that fails undoes work that %s', async (how) => {
    const run = database.transaction(
      async (sql) => {
        if (how === 'waits for none') sql.enqueue(WRITE, { n: 5 });
        else await sql.execute(WRITE, { n: 5 });
      },
      { beforehand: FAIL.bind({ n: 0 }) },
    );
    await expect(run).rejects.toThrow('division by zero');
    expect(await written()).toEqual([{ n: 1 }]);
  });
});

describe('an outage of PostgreSQL is DatabaseUnavailable', () => {
  const SELECT = compileStatement({ text: 'SELECT' });
  const SLEEP = compileStatement({ text: 'SELECT pg_sleep(60)' });
  const statements: [string, (database: Database) => Promise<unknown>][] = [
    ['a statement', (database) => database.execute(SELECT)],
    ['a pipelined statement', (database) => database.pipeline.execute(SELECT)],
    ['a transaction', (database) => database.transaction((sql) => sql.execute(SELECT))],
    ["Prisma's client", (database) => database.prisma().store.count()],
    [
      "a transaction of Prisma's client",
      ({ prisma }) => prisma().$transaction([prisma().store.count(), prisma().store.findMany()]),
    ],
  ];

  it.each(statements)('%s, when the server is not reachable', async (_what, run) => {
    const database = openDatabase({ url: `postgresql://nobody@127.0.0.1:${String(await freePort())}/none`, pipelined: true });
    try {
      const error = await run(database).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(DatabaseUnavailable);
      expect((error as Error).cause).toBeInstanceOf(Error);
    } finally {
      await database.close();
    }
  });

  it('a statement and a transaction that run into their timeout', async () => {
    const database = await openTestDatabase({ statementTimeoutMs: 1, pipelined: true });
    try {
      await expect(database.execute(SLEEP)).rejects.toBeInstanceOf(DatabaseUnavailable);
      await expect(database.pipeline.execute(SLEEP)).rejects.toBeInstanceOf(DatabaseUnavailable);
      const run = database.transaction((sql) => sql.execute(SLEEP));
      await expect(run).rejects.toBeInstanceOf(DatabaseUnavailable);
    } finally {
      await database.close();
    }
  });

  it('an error of a statement itself is thrown as it is', async () => {
    const database = await openTestDatabase();
    try {
      await expect(database.query('SELECT 1 / 0')).rejects.toMatchObject({ code: '22012' });
      await expect(database.prisma().store.findUniqueOrThrow({ where: { domain: 'none' } })).rejects.toMatchObject({
        code: 'P2025',
      });
    } finally {
      await database.close();
    }
  });
});

it('a request whose app was lost after it was admitted, by a failover for example, is answered as in an outage', async () => {
  const database = await openTestDatabase();
  const ids = sequentialIds();
  const { transaction } = createPrismaPorts(database, { clock: manualClock(), ids, idempotencyTtlSeconds: 60 });
  const scope = { storeId: ids.next(), installationId: ids.next(), key: 'key' };
  const claimed = transaction.runClaimed({ cause: null, scope, fingerprint: '0'.repeat(64) }, () => Promise.resolve());
  await expect(claimed).rejects.toBeInstanceOf(DatabaseUnavailable);
  await database.close();
});
