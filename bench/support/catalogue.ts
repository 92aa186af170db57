import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { request } from 'undici';
import type pg from 'pg';

import type { Shop } from './shop.ts';
import { ADMIN_TOKEN, type Tenon } from './tenon.ts';

/**
 * A UUID of a text, of the form that any reader takes: scattered, as ids are that a merchant brings
 * along.
 */
const uuidOf = (text: string): string => `overlay(overlay(md5(${text}) PLACING '4' FROM 13) PLACING '8' FROM 17)::uuid`;

const ID = uuidOf(`$1::text || 'product' || n`);
const VARIANT_ID = uuidOf(`$1::text || 'variant' || n`);
const TIME = `timestamptz '2026-01-01 00:00:00+00' + n * interval '1 second'`;
const SERIES = 'generate_series($2::int, $3::int) AS n';
const CATEGORIES = 20;

const CATEGORY = `
  INSERT INTO categories (store_id, id, name, slug, position)
  SELECT $1::uuid, ${uuidOf(`$1::text || 'category' || n`)}, 'Category ' || n, 'category-' || n, n FROM ${SERIES}`;

/**
 * With the figures of list-figures.ts for one variant of 10 to 109.95 EUR, 7 in stock, and one
 * picture.
 */
const PRODUCT = `
  INSERT INTO products (store_id, id, name, slug, description, meta_title, kind, status, position, published_at, purchase_count, rating_average,
    rating_count, refundable, tags, category_id, content_blocks, translations, created_at, updated_at,
    currency, min_price, max_price, total_inventory, variant_count, thumbnail_url, thumbnail_alt)
  SELECT $1::uuid, ${ID}, 'Dovetail saw, number ' || n, 'dovetail-saw-' || n, repeat('A saw for fine joints, with a brass back. ', 6), 'Saw ' || n,
    'Physical', 'Active', n, ${TIME}, 0, 4.5, 12, true, ARRAY['saws', 'joinery'], ${uuidOf(`$1::text || 'category' || 1 + n % ${CATEGORIES}`)},
    '[]', '{}', ${TIME}, NULL,
    'EUR', 10 + n % 100 + 0.95, 10 + n % 100 + 0.95, 7, 1, 'https://cdn.example/pictures/' || n || '.jpg', 'Saw ' || n
  FROM ${SERIES}`;

const VARIANT = `
  INSERT INTO variants (store_id, id, product_id, ordinal, sku, currency, price, is_on_sale, weight_grams, has_dimensions, created_at)
  SELECT $1::uuid, ${VARIANT_ID}, ${ID}, 0, 'SAW-' || n, 'EUR', 10 + n % 100 + 0.95, false, 400, false, ${TIME} FROM ${SERIES}`;

const INVENTORY = `
  INSERT INTO inventory (store_id, id, product_variant_id, ordinal, warehouse_id, available, on_hand, reserved, concurrency_stamp, created_at)
  SELECT $1::uuid, ${uuidOf(`$1::text || 'inventory' || n`)}, ${VARIANT_ID}, 0, $1::uuid, 7, 7, 0, $1::uuid, ${TIME} FROM ${SERIES}`;

const SEARCH = `
  INSERT INTO product_search (store_id, product_id, created_at, name, skus)
  SELECT $1::uuid, ${ID}, ${TIME}, folded('Dovetail saw, number ' || n), folded('SAW-' || n) FROM ${SERIES}`;

const MEDIA = `
  INSERT INTO media (store_id, id, product_id, ordinal, ai_generated, alt_text, content_type, position, size_bytes, storage_key, url, created_at)
  SELECT $1::uuid, ${uuidOf(`$1::text || 'media' || n`)}, ${ID}, 0, false, 'Saw ' || n, 'image/jpeg', 1, 12345, 'pictures/' || n,
    'https://cdn.example/pictures/' || n || '.jpg', ${TIME} FROM ${SERIES}`;

/**
 * Writes `count` products straight into the tables of an empty store, as an import would leave
 * them. 100,000 take some seconds.
 */
export const fillCatalogue = async (pool: pg.Pool, storeId: string, count: number): Promise<void> => {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    // The rows refer to each other by their making: what would be looked up for each is left out.
    await client.query('SET LOCAL session_replication_role = replica');
    await client.query(CATEGORY, [storeId, 1, CATEGORIES]);
    for (const text of [PRODUCT, VARIANT, INVENTORY, SEARCH, MEDIA]) await client.query(text, [storeId, 1, count]);
    await client.query('UPDATE stores SET product_count = $2 WHERE id = $1', [storeId, count]);
    await client.query('COMMIT');
    for (const table of ['categories', 'products', 'variants', 'inventory', 'product_search', 'media'])
      await client.query(`VACUUM ANALYZE ${table}`);
  } finally {
    client.release();
  }
};

/** Ids of `count` random products of the store. */
export const productIds = async (pool: pg.Pool, storeId: string, count: number): Promise<string[]> => {
  const { rows } = await pool.query<{ id: string }>(
    'SELECT id FROM products WHERE store_id = $1 AND deleted_at IS NULL ORDER BY random() LIMIT $2',
    [storeId, count],
  );
  return rows.map(({ id }) => id);
};

/** Ids of the only variants of these products. */
export const variantIds = async (pool: pg.Pool, storeId: string, products: readonly string[]): Promise<string[]> => {
  const { rows } = await pool.query<{ id: string }>(
    'SELECT id FROM variants WHERE store_id = $1 AND product_id = ANY ($2::uuid[])',
    [storeId, products],
  );
  return rows.map(({ id }) => id);
};

/** Adds a collection of `count` of the store's products. */
export const fillCollection = async (pool: pg.Pool, storeId: string, count: number): Promise<string> => {
  const id = randomUUID();
  await pool.query(
    `INSERT INTO collections (store_id, id, title, handle, product_count) VALUES ($1, $2::uuid, 'Saws', 'saws-' || $2::uuid, $3)`,
    [storeId, id, count],
  );
  await pool.query(
    `INSERT INTO collection_products (store_id, collection_id, product_id, position)
     SELECT $1, $2, id, row_number() OVER (ORDER BY created_at, id) FROM (
       SELECT id, created_at FROM products WHERE store_id = $1 AND deleted_at IS NULL ORDER BY created_at, id LIMIT $3) p`,
    [storeId, id, count],
  );
  await pool.query('VACUUM ANALYZE collection_products');
  return id;
};

/**
 * A product with 8 variants of three options and 5 pictures: a typical detail of a clothes shop.
 */
const richProduct = (id: string, number: number): object => {
  const options = { Size: ['S', 'L'], Colour: ['Ecru', 'Indigo'], Cut: ['Straight', 'Wide'] };
  const choices = [0, 1].flatMap((size) => [0, 1].flatMap((colour) => [0, 1].map((cut) => [size, colour, cut])));
  return {
    id,
    name: `Work trousers, number ${number}`,
    description: '<p>Of canvas, with a pocket for a folding rule.</p>'.repeat(8),
    status: 'Active',
    tags: ['trousers', 'workwear'],
    specifications: [{ name: 'Cloth', value: 'Canvas, 400 g', position: 1 }],
    options: Object.entries(options).map(([name, values], position) => ({
      name,
      position,
      values: values.map((value, at) => ({ value, position: at })),
    })),
    variants: choices.map((choice, at) => ({
      sku: `TROUSERS-${number}-${at}`,
      price: 89.5 + at,
      currency: 'EUR',
      weightGrams: 700,
      optionValues: Object.entries(options).map(([option, values], index) => ({ option, value: values[choice[index] ?? 0] })),
      inventory: [{ available: 5, onHand: 6, reserved: 1 }],
    })),
    media: [1, 2, 3, 4, 5].map((position) => ({
      altText: `View ${position}`,
      contentType: 'image/jpeg',
      position,
      sizeBytes: 123_456,
      storageKey: `trousers/${number}/${position}`,
      url: `https://cdn.example/trousers/${number}/${position}.jpg`,
    })),
  };
};

/** A product with one variant, as the goal of the import counts them. */
export const plainProduct = (number: number): object => ({
  name: `Dovetail saw, number ${number}`,
  slug: `dovetail-saw-${number}`,
  description: 'A saw for fine joints, with a brass back. '.repeat(6),
  status: 'Active',
  tags: ['saws', 'joinery'],
  variants: [
    {
      sku: `SAW-${number}`,
      price: 62.5,
      currency: 'EUR',
      weightGrams: 400,
      inventory: [{ available: 7, onHand: 7, reserved: 0 }],
    },
  ],
  media: [
    { url: `https://cdn.example/pictures/${number}.jpg`, altText: `Saw ${number}`, contentType: 'image/jpeg', position: 1 },
  ],
});

function* lines(count: number, document: (number: number) => object): Generator<string> {
  for (let number = 1; number <= count; number += 1) yield `${JSON.stringify(document(number))}\n`;
}

/** Imports `count` documents, one per line, as the merchant. Throws if one of them is refused. */
export const importProducts = async (
  { adminUrl }: Pick<Tenon, 'adminUrl'>,
  storeId: string,
  count: number,
  document: (number: number) => object,
): Promise<void> => {
  const answer = await request(`${adminUrl}/admin/stores/${storeId}/products/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/x-ndjson' },
    body: Readable.from(lines(count, document)),
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const text = await answer.body.text();
  const { created } = JSON.parse(text) as { created: number };
  if (answer.statusCode !== 200 || created !== count) throw new Error(`import: ${answer.statusCode} ${text.slice(0, 500)}`);
};

/** Imports products with everything that a detail shows. Resolves with their ids. */
export const importRich = async (tenon: Tenon, { storeId }: Pick<Shop, 'storeId'>, count: number): Promise<string[]> => {
  const ids: string[] = [];
  await importProducts(tenon, storeId, count, (number) => {
    const id = randomUUID();
    ids.push(id);
    return richProduct(id, number);
  });
  return ids;
};
