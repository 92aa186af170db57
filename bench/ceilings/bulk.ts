import { createHash, randomUUID } from 'node:crypto';
import express from 'express';
import type pg from 'pg';

import { serveCeiling, sendJson, type Caller } from './serve.ts';

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

const CLAIM = `INSERT INTO idempotency_records (store_id, installation_id, key, fingerprint) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`;
/** In a commit of its own, with `$5` as its synchronous_commit. */
const CLAIM_BEFORE = `INSERT INTO idempotency_records (store_id, installation_id, key, fingerprint)
  SELECT $1, $2, $3, $4 WHERE set_config('synchronous_commit', $5, true) IS NOT NULL ON CONFLICT DO NOTHING`;
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
const RECORD = `WITH recorded AS (
    INSERT INTO events (id, store_id, type, resource_id, origin_installation_id, body, created_at)
    SELECT id, $1, 'product.updated', product_id, $2, body, clock_timestamp()
    FROM unnest($3::uuid[], $4::text[], $5::text[]) AS e(id, product_id, body) RETURNING store_id, id)
  INSERT INTO pending_events (store_id, event_id) SELECT store_id, id FROM recorded`;
const REMEMBER = `UPDATE idempotency_records SET status = 200, headers = $4::jsonb, body = $5, finished_at = clock_timestamp()
  WHERE store_id = $1 AND installation_id = $2 AND key = $3`;

const HEADERS = JSON.stringify({ 'Content-Type': 'application/json; charset=utf-8' });

type Query = <R extends pg.QueryResultRow>(name: string, text: string, values: readonly unknown[]) => Promise<R[]>;

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

const eventOf = ({ storeId, installationId: origin }: Caller, change: Change, before: Row, timestamp: string) => {
  const id = randomUUID();
  const moves = change.slug !== undefined;
  const data = {
    id: change.id,
    changedFields: [...(moves ? ['slug'] : []), 'metaTitle'],
    previous: { ...(moves && { slug: before.slug }), metaTitle: before.metaTitle },
    current: { ...(moves && { slug: change.slug }), metaTitle: change.metaTitle },
    origin,
  };
  return { id, productId: change.id, body: JSON.stringify({ id, type: 'product.updated', timestamp, storeId, data }) };
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
  const { storeId, installationId } = caller;
  const rows = await query<Row>('lock', LOCK, [storeId, changes.map(({ id }) => id)]);
  if (rows.length < changes.length) throw new Error('a product is missing');
  const current = new Map(rows.map((row) => [row.id, row]));
  const now = new Date().toISOString();
  await query('update', UPDATE, [storeId, changes.map(({ id }) => id), changes.map(({ metaTitle }) => metaTitle), now]);
  await moveSlugs(query, storeId, changes, current, now);
  const events = changes.map((change) => eventOf(caller, change, current.get(change.id)!, now));
  await query('record', RECORD, [
    storeId,
    installationId,
    events.map(({ id }) => id),
    events.map(({ productId }) => productId),
    events.map(({ body }) => body),
  ]);
  return responseOf(changes, current);
};

/** The bulk update by hand, in one transaction. Only what is new and well-formed is sent here. */
serveCeiling(({ app, database, facts, asCaller }) => {
  const run = async (caller: Caller, key: string, fingerprint: Buffer, body: Buffer): Promise<Buffer> => {
    const client = await database.connect();
    const query: Query = async <R extends pg.QueryResultRow>(name: string, text: string, values: readonly unknown[]) =>
      (await client.query<R>({ name, text, values: [...values] })).rows;
    try {
      const scope = [caller.storeId, caller.installationId, key];
      const claim = [...scope, fingerprint];
      if (facts['claim'] !== undefined) await query('claim-before', CLAIM_BEFORE, [...claim, facts['claim']]);
      await client.query('BEGIN');
      if (facts['claim'] === undefined) await query('claim', CLAIM, claim);
      const { products } = JSON.parse(body.toString()) as { products: Change[] };
      const response = await update(query, caller, products);
      await query('remember', REMEMBER, [...scope, HEADERS, response]);
      await client.query('COMMIT');
      return response;
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
  };

  app.post(
    '/apps/catalog/products/bulk',
    express.raw({ type: '*/*', limit: '2mb' }),
    asCaller(async (req, res, caller) => {
      const body = req.body as Buffer;
      const fingerprint = createHash('sha256').update(`${req.method} ${req.path}\n`).update(body).digest();
      sendJson(res, await run(caller, req.headers['idempotency-key'] as string, fingerprint, body));
    }),
  );
});
