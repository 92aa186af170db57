import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';

import { run } from '../../src/adapters/prisma/connection/prepared-query.ts';
import { sqlOver } from '../../src/adapters/prisma/connection/sql.ts';
import { compileStatement } from '../../src/adapters/prisma/connection/statement.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';

const HALF = compileStatement({
  text: 'SELECT $n::int / 2 AS half, 10 / $n::int AS part, $n::text::int AS n, NULL::text AS nothing',
  parameters: { n: 'int4' },
  row: { half: 'int4', part: 'int4', n: 'int4', nothing: 'text?' },
});
const half = (n: number) => ({ half: Math.trunc(n / 2), part: Math.trunc(10 / n), n, nothing: null });

let database: TestDatabase;
let client: pg.Client;
let described: number;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  client = new pg.Client({ connectionString: database.url, pipeline: true });
  await client.connect();
  described = 0;
  client.connection.on('rowDescription', () => (described += 1));
});
afterEach(() => client.end());

const sql = () => sqlOver((bound) => run(client, bound));

it('PostgreSQL describes the rows of a statement once for a connection, and all rows are read by that', async () => {
  for (const n of [1, 2, 3, 7]) expect(await sql().rows(HALF, { n })).toEqual([half(n)]);
  expect(described).toBe(1);
  const together = [4, 5, 6, 8].map((n) => sql().rows(HALF, { n }));
  expect(await Promise.all(together)).toEqual([4, 5, 6, 8].map((n) => [half(n)]));
  expect(described).toBe(1);
});

it('many that are sent before the first is answered give each its own rows', async () => {
  const together = [1, 2, 3, 4, 5].map((n) => sql().rows(HALF, { n }));
  expect(await Promise.all(together)).toEqual([1, 2, 3, 4, 5].map((n) => [half(n)]));
});

it('a statement that fails fails alone, with a stack that leads to its caller', async () => {
  const askForNothing = () => sql().rows(HALF, { n: 0 });
  for (const round of ['first', 'later']) {
    const [before, error, after] = await Promise.allSettled([
      sql().rows(HALF, { n: 1 }),
      askForNothing(),
      sql().rows(HALF, { n: 2 }),
    ]);
    expect([before, after], round).toMatchObject([{ value: [half(1)] }, { value: [half(2)] }]);
    expect(error, round).toMatchObject({ reason: { message: 'division by zero', code: '22012' } });
    expect((error as { reason: Error }).reason.stack).toContain('run (');
  }
});

it('a value that cannot be sent fails its statement alone', async () => {
  const unreadable = { ...HALF.bind({ n: 1 }), values: [{ n: 1n }] };
  for (const round of ['first', 'later']) {
    const [before, error, after] = await Promise.allSettled([
      sql().rows(HALF, { n: 1 }),
      run(client, unreadable),
      sql().rows(HALF, { n: 2 }),
    ]);
    expect([before, after], round).toMatchObject([{ value: [half(1)] }, { value: [half(2)] }]);
    expect(error, round).toMatchObject({ reason: { message: 'Do not know how to serialize a BigInt' } });
  }
});

it('a statement without rows gives their number each time, and leaves no rows behind for the next', async () => {
  await database.query('CREATE TABLE IF NOT EXISTS noted (n int)');
  const note = compileStatement({ text: 'INSERT INTO noted SELECT generate_series(1, $n::int)', parameters: { n: 'int4' } });
  expect(await sql().execute(note, { n: 3 })).toBe(3);
  expect(await sql().execute(note, { n: 2 })).toBe(2);
  expect(await run(client, note.bind({ n: 1 }))).toMatchObject({ rows: [], rowCount: 1 });
});

it('a column that becomes another is never read as the one that it was', async () => {
  await database.query('CREATE TABLE shapes (value int)');
  await database.query('INSERT INTO shapes VALUES (7)');
  const all = compileStatement({ text: 'SELECT * FROM shapes', row: { value: 'int4' } });
  for (const round of [1, 2]) expect(await sql().rows(all), String(round)).toEqual([{ value: 7 }]);
  await database.query('ALTER TABLE shapes ALTER COLUMN value TYPE text');
  await expect(sql().rows(all)).rejects.toThrow('cached plan must not change result type');
});

it('on a pool, the statement is described once for each connection', async () => {
  const pool = new pg.Pool({ connectionString: database.url, max: 2 });
  const counts = new Map<pg.PoolClient, number>();
  pool.on('connect', (one) => one.connection.on('rowDescription', () => counts.set(one, (counts.get(one) ?? 0) + 1)));
  for (let round = 0; round < 3; round += 1) {
    const together = [1, 2].map((n) => run(pool, HALF.bind({ n })));
    expect((await Promise.all(together)).map(({ rows }) => rows)).toEqual([[half(1)], [half(2)]]);
  }
  expect([...counts.values()]).toEqual([1, 1]);
  await pool.end();
});
