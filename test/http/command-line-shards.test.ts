import { afterAll, beforeAll, expect, it } from 'vitest';

import { runCommand } from '../support/command-line.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(async () => {
  await database.close();
});

const REFUSED = { status: 5, out: '', err: 'tenon: The database is not the coordinator of a Citus cluster.\n' };

it.each([['list'], ['find', 'a.test'], ['move', 'a.test', '10.0.0.1:5432'], ['balance'], ['balance', '--stop']])(
  'tenon shards %s refuses a PostgreSQL without Citus',
  async (...args) => {
    expect(await runCommand(['shards', ...args], { env: { DATABASE_URL: database.url } })).toEqual(REFUSED);
  },
);

it('refuses the embedded database, and does not start it', async () => {
  expect(await runCommand(['shards', 'list'], { env: { DATA_DIR: '/nonexistent' } })).toEqual(REFUSED);
});

it('says that the database cannot be reached, and does not show its password', async () => {
  const env = { DATABASE_URL: 'postgresql://tenon:hunter2@127.0.0.1:1/tenon' };
  const { status, err } = await runCommand(['shards', 'list'], { env });
  expect([status, err]).toEqual([1, expect.stringMatching(/^tenon: DATABASE_URL: The database cannot be reached: .+\n$/)]);
  expect(err).not.toContain('hunter2');
});
