import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { attempt } from '../../src/adapters/prisma/connection/savepoint.ts';
import type { TransactionSql } from '../../src/adapters/prisma/connection/sql.ts';
import { compileStatement } from '../../src/adapters/prisma/connection/statement.ts';
import { DatabaseUnavailable } from '../../src/domain/ports/transaction.ts';
import { latch } from '../support/latch.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';

/** The first `times` calls fail with the code. A sequence is not rolled back, so it counts them all. */
const PLANT = `
  CREATE TABLE kept (n int PRIMARY KEY, word text);
  CREATE SEQUENCE calls;
  CREATE TABLE planted (code text, times int);
  INSERT INTO planted VALUES ('', 0);
  CREATE FUNCTION conflict() RETURNS int LANGUAGE plpgsql AS $$
    DECLARE p planted;
    BEGIN
      SELECT * INTO p FROM planted;
      IF nextval('calls') <= p.times THEN RAISE EXCEPTION 'planted' USING ERRCODE = p.code; END IF;
      RETURN 1;
    END $$;
  CREATE FUNCTION conflict_at_commit() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM conflict(); RETURN NULL; END';
  CREATE TABLE judged_at_commit (n int);
  CREATE CONSTRAINT TRIGGER judged AFTER INSERT ON judged_at_commit DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION conflict_at_commit();`;

const CONFLICT = compileStatement({ text: 'SELECT conflict()' });
const KEEP = compileStatement({ text: 'INSERT INTO kept VALUES ($n)', parameters: { n: 'int4' } });
const AT_COMMIT = compileStatement({ text: 'INSERT INTO judged_at_commit VALUES (1)' });
const CHANGE = compileStatement({ text: 'UPDATE kept SET word = $word WHERE n = $n', parameters: { n: 'int4', word: 'text' } });
const WORDS = compileStatement({ text: 'SELECT word FROM kept ORDER BY n', row: { word: 'text' } });

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase({ pipelined: true });
  await database.query(PLANT);
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.query('TRUNCATE kept');
});

const plant = async (code: string, times: number): Promise<void> => {
  await database.query('UPDATE planted SET code = $1, times = $2', [code, times]);
  await database.query("SELECT setval('calls', 1, false)");
};
/** How often the planted function was called. */
const calls = async (): Promise<number> => {
  const [row] = await database.query<{ n: number }>('SELECT last_value::int AS n FROM calls');
  return row?.n ?? 0;
};

const inTransaction = (work: (sql: TransactionSql) => Promise<unknown>) => (): Promise<unknown> =>
  database.transaction(async (sql) => {
    await sql.execute(KEEP, { n: 1 });
    await work(sql);
  });

const ways: [string, () => Promise<unknown>][] = [
  ['a statement', () => database.execute(CONFLICT)],
  ['a pipelined statement', () => database.pipeline.execute(CONFLICT)],
  ["a statement of Prisma's client", () => database.prisma().$queryRaw`SELECT conflict()`],
  ['a transaction that waits for the answer', inTransaction((sql) => sql.execute(CONFLICT))],
  [
    'a transaction with an enqueued statement',
    inTransaction((sql) => {
      sql.enqueue(CONFLICT);
      return Promise.resolve();
    }),
  ],
  ['a transaction that is refused at its COMMIT', inTransaction((sql) => sql.execute(AT_COMMIT))],
  ['a transaction with a savepoint', inTransaction((sql) => attempt(sql, () => sql.execute(CONFLICT)))],
  [
    'a transaction with a statement before its BEGIN',
    () => database.transaction((sql) => sql.execute(KEEP, { n: 1 }), { beforehand: CONFLICT.bind() }),
  ],
];

describe.each(['40001', '40P01'])('a conflict with another transaction (%s)', (code) => {
  it.each(ways)('%s runs again, up to three times, and keeps what it did once', async (what, run) => {
    await plant(code, 3);
    await run();
    expect(await calls()).toBe(4);
    expect(await database.query('SELECT n FROM kept')).toHaveLength(what.startsWith('a transaction') ? 1 : 0);
  });

  it.each(ways)('%s is DatabaseUnavailable when it conflicts a fourth time, and keeps nothing', async (_what, run) => {
    await plant(code, 4);
    const error = await run().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DatabaseUnavailable);
    expect((error as Error).cause).toBeInstanceOf(Error);
    expect(await calls()).toBe(4);
    expect(await database.query('SELECT n FROM kept')).toEqual([]);
  });

  it('work that has effects outside of the database runs once', async () => {
    await plant(code, 1);
    const run = database.transaction((sql) => sql.execute(CONFLICT), { isUnrepeatable: true });
    await expect(run).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(await calls()).toBe(1);
  });
});

it('an error of the work itself does not run it again', async () => {
  await plant('22012', 1);
  await expect(database.transaction((sql) => sql.execute(CONFLICT))).rejects.toMatchObject({ code: '22012' });
  expect(await calls()).toBe(1);
});

it('of two transactions that wait for each other PostgreSQL ends one, and both are done', async () => {
  await database.query("INSERT INTO kept VALUES (1, ''), (2, '')");
  const [first, second] = [latch(), latch()];
  const codes: unknown[] = [];
  let runs = 0;
  const change = (own: number, other: number, word: string, mine: typeof first, others: typeof first) =>
    database.transaction(async (sql) => {
      runs += 1;
      await sql.execute(CHANGE, { n: own, word });
      mine.open();
      await others.opened;
      await sql.execute(CHANGE, { n: other, word }).catch((error: unknown) => {
        codes.push((error as { code?: unknown }).code);
        throw error;
      });
    });
  await Promise.all([change(1, 2, 'a', first, second), change(2, 1, 'b', second, first)]);
  expect(codes[0]).toBe('40P01');
  // A transaction that runs again may meet the other again before that has the row it waits for.
  expect(codes).toHaveLength(runs - 2);
  const words = await database.rows(WORDS);
  expect([
    [{ word: 'a' }, { word: 'a' }],
    [{ word: 'b' }, { word: 'b' }],
  ]).toContainEqual(words);
});
