import type { Cause } from '../../../domain/cause.ts';
import { IMPORT_STATUSES, type MediaImport, hasEnded, UNINSTALLED } from '../../../domain/media/media-import.ts';
import { SOURCE_HOST } from '../../../domain/media/source-host.ts';
import type { MediaImportRepository, MediaImportWrites } from '../../../domain/ports/media/media-import-repository.ts';
import { findOldest, olderThan, removal, DAY_SECONDS, endOldest } from '../connection/purge.ts';
import { json, oneOf } from '../connection/sql-types.ts';
import type { Sql, TransactionSql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import { statusOf } from '../work/installation-status.ts';

const IS_OPEN = `t.status IN ('Pending', 'Downloading')`;

/** Condition on an open import, with its installation `i` and its store `st`. */
const IS_RUNNABLE = `(${statusOf('i')} = 'Installed' AND st.status = 'Active')`;

const OPEN_IMPORTS = `media_imports m JOIN installations i ON i.store_id = m.store_id AND i.id = m.installation_id
  JOIN stores st ON st.id = m.store_id WHERE m.ended_at IS NULL`;

const READ_MEDIA_IMPORT = `
  SELECT m.id, m.store_id AS "storeId", m.installation_id AS "installationId", m.request_id AS "requestId", m.status, (
    SELECT json_agg(json_build_object('index', t.index, 'status', t.status, 'mediaId', t.media_id, 'errorCode', t.error_code,
      'error', t.error, 'retryAt', iso(t.retry_at), 'retryReason', t.retry_reason) ORDER BY t.index) FROM media_import_items t WHERE t.store_id = $storeId AND t.import_id = m.id) AS items
  FROM media_imports m WHERE m.store_id = $storeId`;

const IMPORT = {
  id: 'uuid',
  storeId: 'uuid',
  installationId: 'uuid',
  requestId: 'uuid?',
  status: oneOf('text', IMPORT_STATUSES),
  items: json<MediaImport['items']>('json'),
} as const;

const ID = { storeId: 'uuid', id: 'uuid' } as const;
const IDS = { storeId: 'uuid', ids: 'uuid[]' } as const;
const IMPORT_OWNER = { storeId: 'uuid', installationId: 'uuid' } as const;

const FIND_OWNED = statement({
  text: `${READ_MEDIA_IMPORT} AND m.id = $id AND m.installation_id = $installationId`,
  parameters: { ...ID, ...IMPORT_OWNER },
  row: IMPORT,
});

const BEGIN_MEDIA_IMPORT = statement({
  text: `
  WITH next AS (
    SELECT t.import_id, t.index FROM media_import_items t
      JOIN (SELECT m.id FROM ${OPEN_IMPORTS} AND m.store_id = $storeId AND m.installation_id = $installationId AND ${IS_RUNNABLE}) m ON m.id = t.import_id
    WHERE t.store_id = $storeId AND ${IS_OPEN} AND t.media_id <> ALL ($begun)
      AND (t.retry_at IS NULL OR t.retry_at <= statement_timestamp()) AND lower(substring(t.source_url FROM '(?i)${SOURCE_HOST}')) <> ALL ($busy)
    ORDER BY t.import_id, t.index LIMIT 1
  ), running AS (
    UPDATE media_imports m SET status = 'Running' FROM next WHERE m.store_id = $storeId AND m.id = next.import_id AND m.status = 'Queued'
  ), begun AS (
    UPDATE media_import_items t SET status = 'Downloading', tries = t.tries + 1, retry_at = NULL, retry_reason = NULL FROM next
    WHERE t.store_id = $storeId AND t.import_id = next.import_id AND t.index = next.index AND ${IS_OPEN}
    RETURNING t.*
  )
  SELECT b.import_id AS "importId", m.store_id AS "storeId", m.installation_id AS "installationId", m.request_id AS "requestId", m.traceparent, b.index, b.media_id AS "mediaId",
    b.source_url AS "sourceUrl", b.product_id AS "productId", b.product_variant_id AS "productVariantId", b.alt_text AS "altText",
    b.position, b.ai_generated AS "aiGenerated", b.tries - 1 AS tries, b.asked,
    CASE WHEN NOT EXISTS (SELECT FROM products p WHERE p.store_id = $storeId AND p.id = b.product_id AND p.deleted_at IS NULL)
           THEN 'product_not_found'
         WHEN b.product_variant_id IS NOT NULL AND NOT EXISTS (SELECT FROM variants v
           WHERE v.store_id = $storeId AND v.id = b.product_variant_id AND v.product_id = b.product_id AND v.deleted_at IS NULL)
           THEN 'variant_not_found' END AS missing
  FROM begun b JOIN media_imports m ON m.store_id = $storeId AND m.id = b.import_id`,
  parameters: { ...IMPORT_OWNER, begun: 'uuid[]', busy: 'text[]' },
  row: {
    importId: 'uuid',
    ...IMPORT_OWNER,
    requestId: 'uuid?',
    traceparent: 'text?',
    index: 'int2',
    mediaId: 'uuid',
    sourceUrl: 'text',
    productId: 'uuid',
    productVariantId: 'uuid?',
    altText: 'text?',
    position: 'int4?',
    aiGenerated: 'bool',
    tries: 'int4',
    asked: 'int2',
    missing: oneOf('text?', ['product_not_found', 'variant_not_found']),
  },
});

const REQUEUE = statement({
  text: `
    UPDATE media_import_items t SET status = 'Pending', tries = t.tries - 1
    FROM unnest($importIds::uuid[], $indexes::int[]) AS b(import_id, index)
    WHERE t.store_id = $storeId AND t.import_id = b.import_id AND t.index = b.index AND t.status = 'Downloading'`,
  parameters: { storeId: 'uuid', importIds: 'uuid[]', indexes: 'int4[]' },
});

const POSTPONE = statement({
  text: `
    UPDATE media_import_items SET status = 'Pending', tries = tries - 1, asked = asked + 1, retry_reason = $reason,
      retry_at = statement_timestamp() + make_interval(secs => $seconds)
    WHERE store_id = $storeId AND import_id = $importId AND index = $index AND status = 'Downloading'`,
  parameters: { storeId: 'uuid', importId: 'uuid', index: 'int2', reason: 'text', seconds: 'float8' },
});

const TO_RUN = `
  SELECT DISTINCT m.store_id AS "storeId", m.installation_id AS "installationId" FROM ${OPEN_IMPORTS} AND (i.status = 'Uninstalled' OR ${IS_RUNNABLE})`;

/** Includes all stores. */
const ALL_TO_RUN = statement({ text: TO_RUN, row: IMPORT_OWNER });

const TO_RUN_OF_STORE = statement({
  text: `${TO_RUN} AND m.store_id = $storeId AND ($installationId::uuid IS NULL OR m.installation_id = $installationId)`,
  parameters: { storeId: 'uuid', installationId: 'uuid?' },
  row: IMPORT_OWNER,
});

const OLD = olderThan('media_imports', 'ended_at');
const PURGE_MEDIA_IMPORTS = { find: statement(findOldest(OLD)), end: statement(removal(OLD)) };

const COUNT_OPEN = statement({
  text: `SELECT count(*)::int AS n FROM ${OPEN_IMPORTS} AND ${IS_RUNNABLE}`,
  row: { n: 'int4' },
});

const FIND_MEDIA_IMPORT = statement({ text: `${READ_MEDIA_IMPORT} AND m.id = $id`, parameters: ID, row: IMPORT });

const FIND_MANY = statement({
  text: `${READ_MEDIA_IMPORT} AND m.id = ANY ($ids) ORDER BY m.id`,
  parameters: IDS,
  row: IMPORT,
});

const CREATE_MEDIA_IMPORT = statement({
  text: `
  INSERT INTO media_imports (id, store_id, installation_id, request_id, traceparent, created_at)
  VALUES ($id, $storeId, $installationId, $requestId, $traceparent, clock_timestamp())`,
  parameters: { ...ID, ...IMPORT_OWNER, requestId: 'uuid?', traceparent: 'text?' },
});

const CREATE_ITEMS = statement({
  text: `
  INSERT INTO media_import_items (store_id, import_id, index, media_id, source_url, product_id, product_variant_id, alt_text, position, ai_generated)
  SELECT m.store_id, m.id, t.n - 1, t.media_id, t.source_url, t.product_id, t.variant_id, t.alt_text, t.position, t.ai_generated
  FROM media_imports m CROSS JOIN unnest($mediaIds::uuid[], $sourceUrls::text[], $productIds::uuid[], $variantIds::uuid[], $altTexts::text[], $positions::int[], $aiGenerated::bool[])
    WITH ORDINALITY AS t(media_id, source_url, product_id, variant_id, alt_text, position, ai_generated, n)
  WHERE m.store_id = $storeId AND m.id = $id`,
  parameters: {
    ...ID,
    mediaIds: 'uuid[]',
    sourceUrls: 'text[]',
    productIds: 'uuid[]',
    variantIds: 'uuid?[]',
    altTexts: 'text?[]',
    positions: 'int4?[]',
    aiGenerated: 'bool[]',
  },
});

const LOCK_OPEN = statement({
  text: 'SELECT FROM media_imports WHERE store_id = $storeId AND id = $id AND ended_at IS NULL FOR UPDATE',
  parameters: ID,
});

const SETTLE_ITEM = statement({
  text: `
    UPDATE media_import_items SET status = $status, error_code = $errorCode, error = $error, retry_at = NULL, retry_reason = NULL
    WHERE store_id = $storeId AND import_id = $id AND index = $index`,
  parameters: { ...ID, index: 'int2', status: 'text', errorCode: 'text?', error: 'text?' },
});

const SETTLE_MEDIA_IMPORT = statement({
  text: `
    UPDATE media_imports SET status = $status WHERE store_id = $storeId AND id = $id`,
  parameters: { ...ID, status: 'text' },
});

const LOCK_ALL = statement({
  text: `
    SELECT id FROM media_imports WHERE store_id = $storeId AND installation_id = $installationId AND ended_at IS NULL
    ORDER BY id FOR UPDATE`,
  parameters: IMPORT_OWNER,
  row: { id: 'uuid' },
});

const END_ITEMS = statement({
  text: `
    UPDATE media_import_items t SET status = $status, error_code = $errorCode, error = $error, retry_at = NULL, retry_reason = NULL
    WHERE t.store_id = $storeId AND t.import_id = ANY ($ids) AND ${IS_OPEN}`,
  parameters: { ...IDS, status: 'text', errorCode: 'text', error: 'text' },
});

const END_MEDIA_IMPORT = statement({
  text: `UPDATE media_imports SET status = $status, ended_at = statement_timestamp() WHERE store_id = $storeId AND id = ANY ($ids)`,
  parameters: { ...IDS, status: 'text' },
});

export const mediaImportRepository = (sql: Sql): MediaImportRepository => ({
  get: async ({ storeId, installationId }, id) => (await sql.rows(FIND_OWNED, { storeId, id, installationId }))[0] ?? null,
  begin: async ({ storeId, installationId }, begun, busy = []) => {
    const [task] = await sql.rows(BEGIN_MEDIA_IMPORT, {
      storeId,
      installationId,
      begun: begun.map(({ mediaId }) => mediaId),
      busy,
    });
    return task ?? null;
  },
  requeue: async (storeId, begun) => {
    if (begun.length === 0) return;
    const [importIds, indexes] = [begun.map(({ importId }) => importId), begun.map(({ index }) => index)];
    await sql.execute(REQUEUE, { storeId, importIds, indexes });
  },
  postpone: async ({ storeId, importId, index }, seconds, reason) => {
    await sql.execute(POSTPONE, { storeId, importId, index, seconds, reason });
  },
  toRun: (owner) =>
    owner === undefined
      ? sql.rows(ALL_TO_RUN)
      : sql.rows(TO_RUN_OF_STORE, { storeId: owner.storeId, installationId: owner.installationId ?? null }),
  purge: (days, limit) => endOldest(sql, PURGE_MEDIA_IMPORTS, days * DAY_SECONDS, limit),
  open: async () => (await sql.rows(COUNT_OPEN))[0]?.n ?? 0,
});

export const mediaImportWrites = (sql: TransactionSql, cause: Cause): MediaImportWrites => ({
  create: async ({ id, storeId, installationId, items }) => {
    const [requestId, traceparent] = [cause?.requestId ?? null, cause?.traceparent ?? null];
    sql.enqueue(CREATE_MEDIA_IMPORT, { id, storeId, installationId, requestId, traceparent });
    await sql.execute(CREATE_ITEMS, {
      id,
      storeId,
      mediaIds: items.map((item) => item.mediaId),
      sourceUrls: items.map((item) => item.sourceUrl),
      productIds: items.map((item) => item.productId),
      variantIds: items.map((item) => item.productVariantId),
      altTexts: items.map((item) => item.altText),
      positions: items.map((item) => item.position),
      aiGenerated: items.map((item) => item.aiGenerated),
    });
  },
  lockOpen: async (storeId, id) => {
    if ((await sql.execute(LOCK_OPEN, { storeId, id })) === 0) return null;
    // A separate statement: it sees what others committed while the first waited for the lock.
    return (await sql.rows(FIND_MEDIA_IMPORT, { storeId, id }))[0] ?? null;
  },
  settle: async (after, index) => {
    const { storeId, id } = after;
    const item = after.items.find((one) => one.index === index);
    if (item) {
      const { status, errorCode, error } = item;
      await sql.execute(SETTLE_ITEM, { storeId, id, index, status, errorCode, error });
    }
    if (hasEnded(after)) await sql.execute(END_MEDIA_IMPORT, { storeId, ids: [id], status: after.status });
    else await sql.execute(SETTLE_MEDIA_IMPORT, { storeId, id, status: after.status });
  },
  endAll: async ({ storeId, installationId }) => {
    const ids = (await sql.rows(LOCK_ALL, { storeId, installationId })).map(({ id }) => id);
    if (ids.length === 0) return [];
    await sql.execute(END_ITEMS, { storeId, ids, ...UNINSTALLED });
    await sql.execute(END_MEDIA_IMPORT, { storeId, ids, status: 'Failed' });
    return sql.rows(FIND_MANY, { storeId, ids });
  },
});
