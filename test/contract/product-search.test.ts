import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openDatabase } from '../../src/adapters/prisma/connection/database.ts';
import { migrate } from '../../src/adapters/prisma/connection/migrate.ts';
import { ReadCache } from '../../src/adapters/prisma/reading/read-cache.ts';
import { productReader } from '../../src/adapters/prisma/catalogue/product-reader.ts';
import type { JsonDocument } from '../../src/domain/reading.ts';
import type { ProductFilter } from '../../src/domain/ports/catalogue/product-reader.ts';
import { fillCatalogue } from '../../bench/support/catalogue.ts';
import { contentOf } from './catalogue-worlds.ts';
import { anySql, createEmptyDatabase, openTestDatabase, type TestDatabase } from '../support/postgres.ts';

const STORE = '00000000-0000-4000-8000-000000000001';
const SMALL = '00000000-0000-4000-8000-000000000002';
const COUNT = 20_000;
const PAGE = { skip: 0, take: 50 };
/** Longer than any search of these takes on a busy machine. */
const PATIENT_MS = 60_000;

const totalOf = (list: JsonDocument | null): number | undefined => (contentOf(list) as { total: number } | null)?.total;

describe(`a search of ${String(COUNT)} products`, () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
    for (const [id, count] of [
      [STORE, COUNT],
      [SMALL, 100],
    ] as const) {
      await database.prisma().store.create({ data: { id, domain: `${id}.test`, name: 'Store', currency: 'EUR' } });
      await fillCatalogue(database.pool, id, count);
    }
  });
  afterAll(() => database.close());

  const cache = new ReadCache(1);
  const search = (filter: ProductFilter, searchTimeoutMs = PATIENT_MS) =>
    productReader(database, { cache, searchTimeoutMs }).list(STORE, PAGE, filter);

  /** The plan of the statement that the reader sends. */
  const planOf = async (filter: ProductFilter): Promise<string> => {
    const plan: string[] = [];
    const reader = productReader(
      {
        ...database,
        transaction: (work) =>
          database.transaction((sql) =>
            work({
              ...sql,
              rows: async (statement, ...given) => {
                const { text, values } = statement.bind(...given);
                const { rows } = await database.pool.query<Record<string, string>>(`EXPLAIN ${text}`, values);
                plan.push(...rows.map((row) => Object.values(row).join('')));
                return sql.rows(statement, ...given);
              },
            }),
          ),
      },
      { cache },
    );
    await reader.list(STORE, PAGE, filter);
    return plan.join('\n');
  };

  it('uses the trigram index for a name and for a SKU, with other filters too', async () => {
    for (const filter of [{ q: 'number 19876' }, { q: 'SAW-19876' }, { q: '19876', status: 'Active' as const }]) {
      expect(await planOf(filter)).toContain('product_search_text_idx');
      expect(totalOf(await search(filter))).toBe(1);
    }
  });

  it('reads the narrow rows alone to count what is too short for the index, exactly', async () => {
    expect(await planOf({ q: 'e' })).not.toContain('product_search_text_idx');
    expect(totalOf(await search({ q: 'e' }))).toBe(COUNT);
    expect(totalOf(await search({ q: '9' }))).toBe(
      Array.from({ length: COUNT }, (_, n) => String(n + 1)).filter((n) => n.includes('9')).length,
    );
  });

  it('gives null when it takes too long, and the connection stays usable', async () => {
    // Twenty thousand rows take several times as long as 1 ms on any machine.
    expect(await search({ q: 'e' }, 1)).toBeNull();
    expect(await search({ q: 'e', status: 'Active' }, 1)).toBeNull();
    expect(totalOf(await search({ q: 'e' }))).toBe(COUNT);
  });

  it('without pg_trgm has the same results, within the same time', async () => {
    await database.query('DROP EXTENSION pg_trgm CASCADE');
    expect(await planOf({ q: 'number 19876' })).not.toContain('product_search_text_idx');
    expect(totalOf(await search({ q: 'number 19876' }))).toBe(1);
    expect(totalOf(await search({ q: 'SAW-' }))).toBe(COUNT);
    expect(await search({ q: 'number 19876' }, 1)).toBeNull();
  });
});

describe('the migration', () => {
  const FOLDER = fileURLToPath(new URL('../../prisma/migrations/', import.meta.url));
  const NAME = '20261122120000_product_search';

  it('fills the search rows of existing products, and succeeds without the right to create an extension', async () => {
    const { url, drop } = await createEmptyDatabase();
    const [, name = ''] = /\/([^/?]*)\?/.exec(url) ?? [];
    const role = `plain_${name}`;
    const earlier = await mkdtemp(join(tmpdir(), 'tenon-migrations-'));
    await cp(FOLDER, earlier, { recursive: true, filter: (path) => !path.includes(NAME) });
    const owner = openDatabase({ url });
    await owner.pool.query(
      `CREATE ROLE ${role} LOGIN; GRANT CREATE ON DATABASE ${name} TO ${role}; GRANT ALL ON SCHEMA public TO ${role}`,
    );
    const database = openDatabase({ url: url.replace(/\/\/[^@/]*@?/, `//${role}@`) });
    const sql = anySql(database);
    try {
      expect(await sql.query('SELECT current_user AS name')).toEqual([{ name: role }]);
      await migrate(database, { folder: `${earlier}/` });
      await sql.query('INSERT INTO stores (id, domain, name, currency) VALUES ($1, $2, $2, $3)', [STORE, 'a.test', 'EUR']);
      for (const [id, title, deleted] of [
        [STORE, 'ÄPFEL Nhẫn', null],
        [SMALL, 'Gone', '2026-01-01'],
      ])
        await sql.query(
          `INSERT INTO products (store_id, id, name, kind, status, position, purchase_count, rating_average, rating_count, refundable, tags,
             content_blocks, translations, created_at, deleted_at, total_inventory, variant_count)
           VALUES ($1, $2, $3, 'Physical', 'Draft', 0, 0, 0, 0, true, '{}', '[]', '{}', '2026-01-01', $4, 0, 0)`,
          [STORE, id, title, deleted],
        );
      for (const [sku, deleted] of [
        ['SKU-1', null],
        ['sku-2', null],
        ['gone', '2026-01-01'],
      ])
        await sql.query(
          `INSERT INTO variants (store_id, id, product_id, ordinal, sku, currency, price, is_on_sale, weight_grams, has_dimensions, created_at, deleted_at)
           VALUES ($1, gen_random_uuid(), $1, 0, $2, 'EUR', 1, false, 0, false, '2026-01-01', $3)`,
          [STORE, sku, deleted],
        );
      await owner.pool.query(`REVOKE CREATE ON DATABASE ${name} FROM ${role}`);
      await migrate(database);
      expect(await sql.query(`SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm'`)).toEqual([]);
      expect(await sql.query('SELECT product_id, name, skus FROM product_search')).toEqual([
        { product_id: STORE, name: 'äpfel nhẫn', skus: 'sku-1\nsku-2' },
      ]);
      expect(totalOf(await productReader(database, { cache: new ReadCache(1) }).list(STORE, PAGE, { q: 'NHẪN' }))).toBe(1);
    } finally {
      await database.close();
      await owner.pool.query(`DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`);
      await owner.close();
      await drop();
      await rm(earlier, { recursive: true });
    }
  });
});
