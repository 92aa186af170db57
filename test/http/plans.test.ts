import { afterAll, beforeAll, expect, it } from 'vitest';

import { HOLDERS } from '../../src/adapters/prisma/catalogue/slug-history.ts';
import { compileStatement } from '../../src/adapters/prisma/connection/statement.ts';
import type { PrismaStorage } from '../../src/adapters/prisma/storage.ts';
import { TOKENS } from '../../src/adapters/wiring/ports/tokens.ts';
import { openApp, type OpenApp, type TestApp, type TestStore } from '../support/app.ts';

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

const PREPARED = compileStatement({
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
  const { pipeline } = (app.container.resolve(TOKENS.storage) as PrismaStorage).database;
  const [prepared] = await pipeline.rows(PREPARED);
  const text = `EXPLAIN EXECUTE "${prepared?.name ?? ''}"('${store.id}', 'shop.test', '\\x00', 'a key', 1)`;
  const lines = await pipeline.rows(compileStatement({ text, row: { 'QUERY PLAN': 'text' } }));
  return lines.map((line) => line['QUERY PLAN']).join('\n');
};

it('a token and a key are looked up by their index, also when the statistics are those of empty tables', async () => {
  await app.database.query('ANALYZE');
  // PostgreSQL keeps a plan from the sixth execution on.
  await replay(8);
  await app.database.query(
    `INSERT INTO idempotency_records (store_id, installation_id, key, fingerprint, status, finished_at)
     SELECT '${store.id}', '${installed.id}', 'other-' || n, decode(repeat('00', 32), 'hex'), 200, now() FROM generate_series(1, 100000) AS n`,
  );
  await replay(2);
  const lookUp = await plan();
  expect(lookUp).toContain('idempotency_records');
  expect(lookUp).not.toContain('Seq Scan');
});

it('a table that has grown since its statistics were taken is analysed, also where autovacuum does not look', async () => {
  const rows = async (): Promise<number> => {
    const [table] = await app.database.query<{ rows: number }>(
      "SELECT reltuples::int AS rows FROM pg_class WHERE relname = 'client_secrets'",
    );
    return table?.rows ?? 0;
  };
  await app.database.query('ALTER TABLE client_secrets SET (autovacuum_enabled = off)');
  await app.database.query('ANALYZE client_secrets');
  expect(await rows()).toBe(1);
  // A single transaction: the lock holds off the look at the table until its rows are committed, and can be counted.
  await app.database.query(
    `LOCK TABLE client_secrets IN SHARE UPDATE EXCLUSIVE MODE;
     INSERT INTO client_secrets (store_id, id, installation_id, hash)
     SELECT '${store.id}', gen_random_uuid(), '${installed.id}', sha256(n::text::bytea) FROM generate_series(1, 10000) AS n`,
  );
  await expect.poll(rows).toBe(10_001);
});

const FILL = `
  INSERT INTO products (store_id, id, name, slug, kind, status, position, purchase_count, rating_average, rating_count, refundable, tags,
    content_blocks, translations, created_at, total_inventory, variant_count)
  SELECT $1, gen_random_uuid(), 'Saw', 'saw-' || n, 'Physical', 'Active', 0, 0, 0, 0, true, '{}', '[]', '{}', now(), 0, 0
  FROM generate_series(1, $2::int) AS n`;

it('the product of a slug is looked up by the index of slugs, also in a store that is not in the statistics', async () => {
  const [known, filling] = [await app.aStore(), await app.aStore()];
  await app.database.query(FILL, [known.id, 20_000]);
  await app.database.query('ANALYZE products');
  await app.database.query(FILL, [filling.id, 20_000]);
  const names = `'${filling.id}'::uuid, ARRAY['saw-1', 'saw-2']`;
  await app.database.query(
    `CREATE FUNCTION plan_of_holders() RETURNS SETOF text LANGUAGE plpgsql SET enable_sort = off AS $$
     BEGIN RETURN QUERY EXECUTE 'EXPLAIN ' || $text$${HOLDERS.text}$text$ USING ${names}; END $$`,
  );
  const lines = await app.database.query<{ line: string }>('SELECT plan_of_holders() AS line');
  expect(lines.map(({ line }) => line).join('\n')).toContain('products_store_id_slug_key');
});
