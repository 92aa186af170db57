import { eventOf, mountBulk, record, type OwnEvent, type Query } from './claimed.ts';
import { serveCeiling, type Caller } from './serve.ts';

const UPDATED = 'product.updated';

interface Change {
  readonly id: string;
  readonly metaTitle: string;
  readonly slug?: string;
}
interface Row {
  readonly id: string;
  readonly slug: string | null;
  readonly metaTitle: string | null;
}

const LOCK = `SELECT id, slug, meta_title AS "metaTitle" FROM products
  WHERE store_id = $1 AND id = ANY ($2::uuid[]) AND deleted_at IS NULL ORDER BY id FOR UPDATE`;
const HOLDERS = 'SELECT slug FROM products WHERE store_id = $1 AND slug = ANY ($2::text[])';
const UPDATE = `UPDATE products p SET meta_title = c.meta_title, updated_at = $4::timestamptz, revision = gen_random_uuid()
  FROM unnest($2::uuid[], $3::text[]) AS c(id, meta_title) WHERE p.store_id = $1 AND p.id = c.id`;
const UPDATE_SLUGS = `WITH claimed AS (DELETE FROM slug_history WHERE store_id = $1 AND slug = ANY ($3::text[])),
  released AS (INSERT INTO slug_history (store_id, slug, product_id, created_at)
    SELECT $1, slug, product_id, $6::timestamptz FROM unnest($4::text[], $5::uuid[]) AS r(slug, product_id)
    ON CONFLICT (store_id, slug) DO UPDATE SET product_id = excluded.product_id, created_at = excluded.created_at)
  UPDATE products p SET slug = c.slug FROM unnest($2::uuid[], $3::text[]) AS c(id, slug) WHERE p.store_id = $1 AND p.id = c.id`;
const moveSlugs = async (
  query: Query,
  storeId: string,
  changes: readonly Change[],
  current: ReadonlyMap<string, Row>,
  now: string,
) => {
  const moved = changes.filter(({ slug }) => slug !== undefined);
  if (moved.length === 0) return;
  const slugs = moved.map(({ slug }) => slug);
  if ((await query('holders', HOLDERS, [storeId, slugs])).length > 0) throw new Error('a slug is taken');
  const released = moved.filter(({ id }) => current.get(id)?.slug);
  await query('slugs', UPDATE_SLUGS, [
    storeId,
    moved.map(({ id }) => id),
    slugs,
    released.map(({ id }) => current.get(id)?.slug),
    released.map(({ id }) => id),
    now,
  ]);
};

const eventFor = ({ storeId, installationId: origin }: Caller, change: Change, before: Row, timestamp: string): OwnEvent => {
  const moves = change.slug !== undefined;
  return eventOf(storeId, UPDATED, timestamp, {
    id: change.id,
    changedFields: [...(moves ? ['slug'] : []), 'metaTitle'],
    previous: { ...(moves && { slug: before.slug }), metaTitle: before.metaTitle },
    current: { ...(moves && { slug: change.slug }), metaTitle: change.metaTitle },
    origin,
  });
};

const responseOf = (changes: readonly Change[], current: ReadonlyMap<string, Row>): Buffer => {
  const results = changes.map(({ id, slug }) => {
    const before = current.get(id)?.slug ?? null;
    const previousSlug = slug === undefined ? null : before;
    return { id, status: 'Updated', slug: slug ?? before, previousSlug, error: null, errorCode: null };
  });
  const slugsChanged = changes.filter(({ slug }) => slug !== undefined).length;
  return Buffer.from(JSON.stringify({ requested: changes.length, succeeded: changes.length, failed: 0, slugsChanged, results }));
};

/**
 * The work of a request whose key is new: all that Tenon leaves in the tables, for products that
 * exist and new meta titles and slugs.
 */
const update = async (query: Query, caller: Caller, changes: readonly Change[]): Promise<Buffer> => {
  const { storeId } = caller;
  const rows = await query<Row>('lock', LOCK, [storeId, changes.map(({ id }) => id)]);
  if (rows.length < changes.length) throw new Error('a product is missing');
  const current = new Map(rows.map((row) => [row.id, row]));
  const now = new Date().toISOString();
  await query('update', UPDATE, [storeId, changes.map(({ id }) => id), changes.map(({ metaTitle }) => metaTitle), now]);
  await moveSlugs(query, storeId, changes, current, now);
  const events = changes.map((change) => eventFor(caller, change, current.get(change.id)!, now));
  await record(query, caller, UPDATED, events);
  return responseOf(changes, current);
};

serveCeiling((kitchen) =>
  mountBulk(kitchen, '/apps/catalog/products/bulk', (query, caller, body) =>
    update(query, caller, (JSON.parse(body) as { products: Change[] }).products),
  ),
);
