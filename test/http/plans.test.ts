import { afterAll, beforeAll, expect, it } from 'vitest';

import { statement } from '../../src/adapters/prisma/connection/statement.ts';
import { TOKENS } from '../../src/adapters/wiring/container.ts';
import { openApp } from '../support/app.ts';
import type { OpenApp, TestApp, TestStore } from '../support/app.ts';

let app: OpenApp;
let store: TestStore;
let installed: TestApp;
let token = '';

beforeAll(async () => {
  app = await openApp();
  store = await app.aStore();
  installed = await app.anApp(store);
  token = await app.token(installed);
});
afterAll(() => app.close());

const PREPARED = statement({
  text: `SELECT name FROM pg_prepared_statements WHERE statement LIKE '%idempotency_records%'`,
  row: { name: 'text' },
});

const replay = async (times: number): Promise<void> => {
  for (let time = 0; time < times; time += 1) {
    await app
      .api(store.domain, token)('post', '/apps/catalog/products/bulk')
      .set('Idempotency-Key', 'the-same')
      .send({ products: [{ id: '019a0000-0000-7000-8000-000000000001', name: 'No such product' }] })
      .expect(200);
  }
};

/** How the connection of the look-ups carries out its statement for a token and a key. */
const plan = async (): Promise<string> => {
  const { pipeline } = app.container.resolve(TOKENS.database);
  const [prepared] = await pipeline.rows(PREPARED);
  const text = `EXPLAIN EXECUTE "${prepared?.name ?? ''}"('\\x00', 'shop.test', 'a key', 1)`;
  const lines = await pipeline.rows(statement({ text, row: { 'QUERY PLAN': 'text' } }));
  return lines.map((line) => line['QUERY PLAN']).join('\n');
};

it('a token and a key are looked up by their index, also when the statistics are those of empty tables', async () => {
  await app.database.query('ANALYZE');
  // PostgreSQL keeps a plan from the sixth execution on.
  await replay(8);
  await app.database.query(
    `INSERT INTO idempotency_records (installation_id, key, fingerprint, status, finished_at)
     SELECT '${installed.id}', 'other-' || n, decode(repeat('00', 32), 'hex'), 200, now() FROM generate_series(1, 100000) AS n`,
  );
  await replay(2);
  const lookUp = await plan();
  expect(lookUp).toContain('idempotency_records');
  expect(lookUp).not.toContain('Seq Scan');
});
