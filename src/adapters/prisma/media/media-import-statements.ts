import { SOURCE_HOST } from '../../../domain/media/source-host.ts';
import { findOldest, olderThan, removal } from '../connection/purge.ts';
import { oneOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import { ID, IMPORT, IS_OPEN, IS_RUNNABLE, OPEN_IMPORTS, IMPORT_OWNER, READ_MEDIA_IMPORT } from './media-import-fields.ts';

export const FIND_OWNED = statement({
  text: `${READ_MEDIA_IMPORT} AND m.id = $id AND m.installation_id = $installationId`,
  parameters: { ...ID, ...IMPORT_OWNER },
  row: IMPORT,
});

export const BEGIN_MEDIA_IMPORT = statement({
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

export const REQUEUE = statement({
  text: `
    UPDATE media_import_items t SET status = 'Pending', tries = t.tries - 1
    FROM unnest($importIds::uuid[], $indexes::int[]) AS b(import_id, index)
    WHERE t.store_id = $storeId AND t.import_id = b.import_id AND t.index = b.index AND t.status = 'Downloading'`,
  parameters: { storeId: 'uuid', importIds: 'uuid[]', indexes: 'int4[]' },
});

export const POSTPONE = statement({
  text: `
    UPDATE media_import_items SET status = 'Pending', tries = tries - 1, asked = asked + 1, retry_reason = $reason,
      retry_at = statement_timestamp() + make_interval(secs => $seconds)
    WHERE store_id = $storeId AND import_id = $importId AND index = $index AND status = 'Downloading'`,
  parameters: { storeId: 'uuid', importId: 'uuid', index: 'int2', reason: 'text', seconds: 'float8' },
});

const TO_RUN = `
  SELECT DISTINCT m.store_id AS "storeId", m.installation_id AS "installationId" FROM ${OPEN_IMPORTS} AND (i.status = 'Uninstalled' OR ${IS_RUNNABLE})`;

/** Includes all stores. */
export const ALL_TO_RUN = statement({ text: TO_RUN, row: IMPORT_OWNER });

export const TO_RUN_OF_STORE = statement({
  text: `${TO_RUN} AND m.store_id = $storeId AND ($installationId::uuid IS NULL OR m.installation_id = $installationId)`,
  parameters: { storeId: 'uuid', installationId: 'uuid?' },
  row: IMPORT_OWNER,
});

const OLD = olderThan('media_imports', 'ended_at');
export const PURGE_MEDIA_IMPORTS = { find: statement(findOldest(OLD)), end: statement(removal(OLD)) };

export const COUNT_OPEN = statement({
  text: `SELECT count(*)::int AS n FROM ${OPEN_IMPORTS} AND ${IS_RUNNABLE}`,
  row: { n: 'int4' },
});
