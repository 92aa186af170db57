import { statement } from '../connection/statement.ts';

/** The tables of Tenon's schema with the columns that can be written. The queue has a schema of its own. */
export const TABLES = statement({
  text: `
    SELECT c.relname::text AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
    GROUP BY c.relname`,
  row: { name: 'text', columns: 'text[]' },
});

/** The last number that each sequence gave, those of open transactions included. */
export const SEQUENCES = statement({
  text: `
    SELECT sequencename::text AS name, last_value AS last FROM pg_sequences
    WHERE schemaname = current_schema() AND last_value IS NOT NULL`,
  row: { name: 'text', last: 'int8!' },
});

/**
 * Advances a sequence after a restore, while nobody else writes: it continues behind the number,
 * unless it is further already.
 */
export const ADVANCE = statement({
  text: `
    SELECT setval(quote_ident($name)::regclass, $last) AS last WHERE $last > coalesce(
      (SELECT last_value FROM pg_sequences WHERE schemaname = current_schema() AND sequencename = $name), 0)`,
  parameters: { name: 'text', last: 'int8' },
  row: { last: 'int8' },
});

/** On a Citus cluster the numbers of events that wait come from no sequence, and are higher. */
export const LAST_PENDING = statement({
  text: `SELECT 'pending_events_seq_seq' AS name, max(seq) AS last FROM pending_events HAVING max(seq) IS NOT NULL`,
  row: { name: 'text', last: 'int8!' },
});

export const STORE_RECORD = statement({
  text: 'SELECT id, domain FROM stores WHERE id::text = $store OR domain = $store LIMIT 1',
  parameters: { store: 'text' },
  row: { id: 'uuid', domain: 'text' },
});

export const MEDIA_KEYS = statement({
  text: `
    SELECT store_id AS "storeId", key FROM media_files
    WHERE (store_id, key) > ($storeId::uuid, $key) AND ($only::uuid IS NULL OR store_id = $only)
    ORDER BY store_id, key LIMIT 1000`,
  parameters: { storeId: 'uuid', key: 'text', only: 'uuid?' },
  row: { storeId: 'uuid', key: 'text' },
});

const kidsOf = (sealed: string): string =>
  `SELECT split_part(sealed, '.', 2) AS kid, count(*)::int AS count FROM (${sealed}) s GROUP BY 1`;
const KIDS = { kid: 'text', count: 'int4' } as const;

/** Key ids of all stores. A database of an older version does not name the store in each row. */
export const SEALED_UNDER = statement({
  text: kidsOf(`
      SELECT sealed FROM signing_secrets
      UNION ALL
      SELECT signing_secret FROM subscriptions WHERE signing_secret IS NOT NULL`),
  row: KIDS,
});

export const PLATFORM_SEALED_UNDER = statement({
  text: kidsOf('SELECT sealed FROM platform_signing_secrets'),
  row: KIDS,
});

const OF_STORE = `
    SELECT installation_id AS context, sealed FROM signing_secrets WHERE store_id = $storeId
    UNION ALL
    SELECT id, signing_secret FROM subscriptions WHERE signing_secret IS NOT NULL AND store_id = $storeId`;

export const SEALED_OF_STORE = statement({
  text: OF_STORE,
  parameters: { storeId: 'uuid' },
  row: { context: 'uuid', sealed: 'text!' },
});

export const STORE_SEALED_UNDER = statement({
  text: kidsOf(OF_STORE),
  parameters: { storeId: 'uuid' },
  row: KIDS,
});

export const NEW_PEPPERS = statement({
  text: `
    SELECT encode(id, 'hex') AS id, sealed FROM retired_peppers WHERE xmin::text = pg_current_xact_id()::xid::text`,
  row: { id: 'text', sealed: 'text' },
});

export const PEPPERS = statement({
  text: `SELECT encode(id, 'hex') AS id, split_part(sealed, '.', 2) AS kid FROM retired_peppers`,
  row: { id: 'text', kid: 'text' },
});

/** `prisma migrate deploy` and each start take the same lock. */
export const LOCK_SCHEMA = statement({ text: 'SELECT pg_advisory_xact_lock(72707369)' });

/** Two databases may know other pairs of upper and lower case letters. */
export const FOLD_AGAIN = statement({
  text: `
    UPDATE product_search s SET name = folded(p.name), skus = folded(s.skus) FROM products p
    WHERE p.store_id = s.store_id AND p.id = s.product_id AND ($only::uuid IS NULL OR s.store_id = $only)
      AND (s.name <> folded(p.name) OR s.skus <> folded(s.skus))`,
  parameters: { only: 'uuid?' },
});
