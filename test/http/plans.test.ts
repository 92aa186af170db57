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

const FLUSH = statement({ text: 'SELECT pg_stat_force_next_flush() IS NULL AS done', row: { done: 'bool' } });

const replay = async (times: number): Promise<void> => {
  for (let time = 0; time < times; time += 1) {
    await app
      .api(store.domain, token)('post', '/apps/catalog/products/bulk')
      .set('Idempotency-Key', 'the-same')
      .send({ products: [{ id: '019a0000-0000-7000-8000-000000000001', name: 'No such product' }] })
      .expect(200);
  }
};

/** The scans of whole tables that the connection of the look-ups has made so far. */
const scans = async (): Promise<Record<string, number>> => {
  await app.container.resolve(TOKENS.database).pipeline.rows(FLUSH);
  const rows = await app.database.query<{ relname: string; seq_scan: string }>(
    `SELECT relname, seq_scan FROM pg_stat_user_tables WHERE relname IN ('access_tokens', 'idempotency_records', 'installations', 'stores')`,
  );
  return Object.fromEntries(rows.map(({ relname, seq_scan }) => [relname, Number(seq_scan)]));
};

it('a token and a key are looked up by their index, also when the statistics are those of empty tables', async () => {
  await app.database.query('ANALYZE');
  // PostgreSQL keeps a plan from the sixth execution on.
  await replay(8);
  await app.database.query(
    `INSERT INTO idempotency_records (installation_id, key, fingerprint, status, finished_at)
     SELECT '${installed.id}', 'other-' || n, decode(repeat('00', 32), 'hex'), 200, now() FROM generate_series(1, 100000) AS n`,
  );
  const before = await scans();
  await replay(20);
  expect(await scans()).toEqual(before);
});
