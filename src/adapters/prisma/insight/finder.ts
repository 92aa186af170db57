import { FOUND_KINDS, MAX_FOUND, type FoundKind, type Found } from '../../../domain/insight/found.ts';
import type { Finder } from '../../../domain/ports/insight/finder.ts';
import { isoTime } from '../../../domain/time.ts';
import type { Database } from '../connection/database.ts';
import { hasText } from '../connection/list-page.ts';
import { oneOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import { PATTERN_PARAMETERS, patternValues } from '../connection/text-pattern.ts';
import { isTimeout } from '../connection/unavailable.ts';
import { FIND_STORE } from '../work/find-store.ts';

const LIMIT = String(MAX_FOUND);

/** The apps of a store, the newest first, whose keys are looked up. */
const MAX_APPS = '1000';

const row = (kind: FoundKind, fields: string, from: string): string => `
    (SELECT '${kind}' AS kind, ${fields} FROM ${from} LIMIT ${LIMIT})`;

const OWNED = '$storeId AND x.id = $id';

/** Each branch is a look-up in one index. OFFSET 0 keeps it one where a table is small. */
const BRANCHES = [
  row(
    'event',
    'x.id::text, x.type AS title, x.created_at AS at, x.origin_installation_id AS app',
    'events x WHERE x.store_id = $storeId AND x.id = $eventId',
  ),
  row(
    'event',
    'x.id::text, x.type, x.created_at, x.origin_installation_id',
    `(SELECT * FROM events WHERE store_id = $storeId AND resource_id = $text AND type LIKE 'order.%' ORDER BY created_at DESC LIMIT ${LIMIT}) x
      WHERE x.id <> $eventId`,
  ),
  row('event', 'x.id::text, x.type, x.created_at, x.origin_installation_id', 'caused x'),
  row(
    'delivery',
    'x.id::text, e.type, x.created_at, x.installation_id',
    `deliveries x CROSS JOIN LATERAL (SELECT type FROM events WHERE store_id = $storeId AND id = x.event_id OFFSET 0) e WHERE x.store_id = ${OWNED}`,
  ),
  row(
    'product',
    'x.id::text, x.name, x.created_at, NULL::uuid',
    `(SELECT $id::uuid AS id UNION SELECT id FROM products WHERE store_id = $storeId AND slug = $text
       UNION (SELECT product_id FROM variants WHERE store_id = $storeId AND sku = $text AND deleted_at IS NULL LIMIT ${LIMIT})) f
      CROSS JOIN LATERAL (SELECT id, name, created_at, deleted_at FROM products WHERE store_id = $storeId AND id = f.id OFFSET 0) x
      WHERE x.deleted_at IS NULL`,
  ),
  row(
    'request',
    `x.request_id::text, x.status || ' ' || x.route, x.at, x.installation_id`,
    'request_log x WHERE x.request_id = $id AND x.store_id = $storeId',
  ),
  row('request', `$id::text, 'Caused events', min(x.created_at), NULL::uuid`, 'caused x HAVING count(*) > 0'),
  row(
    'key',
    'x.key, x.key, x.created_at, x.installation_id',
    `(SELECT id FROM installations WHERE store_id = $storeId AND status <> 'Uninstalled' ORDER BY created_at DESC, id DESC LIMIT ${MAX_APPS}) i
      CROSS JOIN LATERAL (SELECT * FROM idempotency_records WHERE store_id = $storeId AND installation_id = i.id AND key = $text OFFSET 0) x`,
  ),
  row('installation', 'x.id::text, x.name, x.created_at, x.id', `installations x WHERE x.store_id = ${OWNED}`),
  row(
    'installation',
    'x.id::text, x.name, x.created_at, x.id',
    'installations x WHERE x.client_id = $text AND x.store_id = $storeId',
  ),
  row('subscription', 'x.id::text, x.url, x.created_at, x.installation_id', `subscriptions x WHERE x.store_id = ${OWNED}`),
  row('media_import', 'x.id::text, x.status, x.created_at, x.installation_id', `media_imports x WHERE x.store_id = ${OWNED}`),
];

const COLUMNS = {
  kind: oneOf('text', FOUND_KINDS),
  id: 'text',
  title: 'text',
  at: 'text',
  installationId: 'uuid?',
} as const;

/** Events of a request are found by their time, which an index has, or in a small store: an index by their request would cost every write. */
export const FIND = statement({
  text: `
    WITH caused AS MATERIALIZED (
      SELECT * FROM (SELECT * FROM events WHERE store_id = $storeId AND created_at BETWEEN $from AND $to OFFSET 0) e
      WHERE e.request_id = $id ORDER BY e.created_at, e.id LIMIT ${LIMIT}
    )
    SELECT kind, id, title, iso(at) AS at, app AS "installationId"
    FROM (${BRANCHES.join(' UNION')}) found
    ORDER BY array_position($kinds::text[], kind), at DESC, id LIMIT ${LIMIT}`,
  parameters: {
    storeId: 'uuid',
    text: 'text',
    id: 'uuid?',
    eventId: 'uuid',
    from: 'timestamptz?',
    to: 'timestamptz?',
    kinds: 'text[]',
  },
  row: COLUMNS,
});

/**
 * Finds records that contain the text. Products use the index of `q`; the apps and subscriptions of
 * a store are few.
 */
const PARTS = [
  row(
    'product',
    'x.id::text, x.name AS title, x.created_at AS at, NULL::uuid AS app',
    `(SELECT s.product_id FROM product_search s WHERE s.store_id = $storeId AND (s.name LIKE folded($name) OR s.skus LIKE folded($sku)) LIMIT ${LIMIT}) f
      CROSS JOIN LATERAL (SELECT id, name, created_at FROM products WHERE store_id = $storeId AND id = f.product_id OFFSET 0) x`,
  ),
  row(
    'installation',
    'x.id::text, x.name, x.created_at, x.id',
    `installations x WHERE x.store_id = $storeId AND ${hasText('x.name')}`,
  ),
  row(
    'subscription',
    'x.id::text, x.url, x.created_at, x.installation_id',
    `subscriptions x WHERE x.store_id = $storeId AND ${hasText('x.url', 'x.description')}`,
  ),
];

const FIND_PARTS = statement({
  text: `
    SELECT kind, id, title, iso(at) AS at, app AS "installationId"
    FROM (${PARTS.join(' UNION ALL')}) found
    ORDER BY array_position($kinds::text[], kind), at DESC, id LIMIT ${LIMIT}`,
  parameters: { storeId: 'uuid', q: 'text', ...PATTERN_PARAMETERS, kinds: 'text[]' },
  row: COLUMNS,
});

const DEFAULT_TIMEOUT_MS = 1_000;

/** The latest time that PostgreSQL and an ISO text of four digits have in common. */
const LAST_TIME = Date.UTC(9999, 11, 31);
const timeOf = (milliseconds: number | undefined): string | null =>
  milliseconds === undefined ? null : isoTime(Math.min(Math.max(milliseconds, 0), LAST_TIME));

/** Lists exact matches first, then partial ones, each once. */
const together = (whole: readonly Found[], parts: readonly Found[]): readonly Found[] => {
  const isIn = ({ kind, id }: Found): boolean => whole.some((one) => one.kind === kind && one.id === id);
  return [...whole, ...parts.filter((part) => !isIn(part))].slice(0, MAX_FOUND);
};

export const finder = (database: Pick<Database, 'transaction'>, statementTimeoutMs = DEFAULT_TIMEOUT_MS): Finder => ({
  find: async (storeId, { text, id, eventId, requested }) => {
    const times = { from: timeOf(requested?.from), to: timeOf(requested?.to) };
    const kinds = [...FOUND_KINDS];
    let whole: readonly Found[] = [];
    try {
      return await database.transaction(
        async (sql) => {
          if ((await sql.execute(FIND_STORE, { storeId })) === 0) return null;
          whole = await sql.rows(FIND, { storeId, text, id, eventId, ...times, kinds });
          // An id is not a part of a name.
          if (id !== null) return whole;
          return together(whole, await sql.rows(FIND_PARTS, { storeId, q: text, ...patternValues(text), kinds }));
        },
        { statementTimeoutMs, planEachTime: true },
      );
    } catch (error) {
      // Without pg_trgm, the names of a large catalogue take long. What is named as a whole is found at once.
      if (isTimeout(error)) return whole.length > 0 ? whole : 'slow';
      throw error;
    }
  },
});
