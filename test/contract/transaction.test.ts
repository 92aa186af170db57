import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openTestDatabase } from '../support/postgres.ts';
import type { TestDatabase } from '../support/postgres.ts';
import { transactionContract } from './transaction.contract.ts';
import { memoryWorld, prismaWorld } from './worlds.ts';

transactionContract('memory', memoryWorld);
transactionContract('prisma', prismaWorld);

describe('a statement that was sent without waiting', () => {
  const WRITE = 'INSERT INTO sent VALUES ($1)';
  const FAIL = 'SELECT 1 / $1::int';
  let database: TestDatabase;
  const written = () => database.query('SELECT n FROM sent ORDER BY n');

  beforeAll(async () => {
    database = await openTestDatabase();
    await database.query('CREATE TABLE sent (n int)');
  });
  afterAll(() => database.close());

  it('is carried out in its turn and commits with the rest', async () => {
    const seen = await database.transaction(async (sql) => {
      await sql.send(WRITE, [1]);
      return sql.query('SELECT n FROM sent');
    });
    expect([seen, await written()]).toEqual([[{ n: 1 }], [{ n: 1 }]]);
  });
  it('fails the transaction with its error, though the COMMIT left with it', async () => {
    const run = database.transaction(async (sql) => {
      await sql.query(WRITE, [2]);
      await sql.send(FAIL, [0]);
      await sql.send(WRITE, [3]);
    });
    await expect(run).rejects.toThrow('division by zero');
    expect(await written()).toEqual([{ n: 1 }]);
  });
  it('fails with its error what waits for an answer after it', async () => {
    const run = database.transaction(async (sql) => {
      await sql.send(FAIL, [0]);
      await sql.query(WRITE, [4]);
    });
    await expect(run).rejects.toThrow('division by zero');
    expect(await written()).toEqual([{ n: 1 }]);
  });
});
