import type pg from 'pg';

import { fillAged } from '../support/aged.ts';
import { fillCatalogue, importRich } from '../support/catalogue.ts';
import type { CaseOptions, CaseResult } from '../support/report.ts';
import { openTenant } from '../support/stage.ts';

const COUNTS = { full: { plain: 100_000, rich: 2_000, aged: 500_000 }, short: { plain: 300, rich: 10, aged: 100 } };

const CATALOGUE = [
  'products',
  'variants',
  'inventory',
  'media',
  'product_options',
  'product_option_values',
  'variant_option_values',
];
const KEYS = ['idempotency_records'];
const LOG = ['events', 'feed', 'deliveries', 'delivery_attempts'];

/** Bytes of the tables with their indexes and what is kept out of line. */
const bytesOf = async (pool: pg.Pool, tables: readonly string[]): Promise<number> => {
  const { rows } = await pool.query<{ bytes: string }>(
    'SELECT sum(pg_total_relation_size(name::regclass)) AS bytes FROM unnest($1::text[]) AS name',
    [tables],
  );
  return Number(rows[0]?.bytes);
};

/**
 * The space that a row of each kind takes in the database. `docs/scaling.md` calculates with it.
 */
export const storage = async ({ short, stage: open }: CaseOptions): Promise<CaseResult> => {
  const { plain, rich, aged } = COUNTS[short ? 'short' : 'full'];
  const stage = await open();
  const { environment, tenon } = stage;
  const tenant = await openTenant(tenon);
  const grown = async (tables: readonly string[], fill: () => Promise<unknown>): Promise<number> => {
    const before = await bytesOf(environment.pool, tables);
    await fill();
    return (await bytesOf(environment.pool, tables)) - before;
  };
  const perPlain = (await grown(CATALOGUE, () => fillCatalogue(environment.pool, tenant.storeId, plain))) / plain;
  const other = await openTenant(tenon);
  const perRich = (await grown(CATALOGUE, () => importRich(tenon, other, rich))) / rich;
  const keysBefore = await bytesOf(environment.pool, KEYS);
  const perDelivery = (await grown(LOG, () => fillAged(environment.pool, tenant, aged, aged))) / aged;
  const perKey = ((await bytesOf(environment.pool, KEYS)) - keysBefore) / aged;
  await stage.close();
  return {
    about: `Bytes in PostgreSQL, with indexes, of ${plain} products with one variant, one stock and one picture, ${rich} imported products with 8 variants and 5 pictures, ${aged} remembered keys with answers of 225 bytes, and ${aged} deliveries with one attempt each and one event of 320 bytes for every ten.`,
    figures: [
      { name: 'a product with one variant', unit: 'bytes', median: perPlain },
      { name: 'a product with 8 variants and 5 pictures', unit: 'bytes', median: perRich },
      { name: 'a remembered key', unit: 'bytes', median: perKey },
      { name: 'a delivery with its attempt and its share of the event', unit: 'bytes', median: perDelivery },
    ],
  };
};
