import { type MediaImportItem, firstErrorOf, type ImportSummary } from '../../../domain/media/import-summary.ts';
import { IMPORT_STATUSES, ITEM_ERRORS } from '../../../domain/media/media-import.ts';
import type { MediaImportLog } from '../../../domain/ports/media/media-import-log.ts';
import { isoTime } from '../../../domain/time.ts';
import { isOlder } from '../connection/list-page.ts';
import { json, oneOf } from '../connection/sql-types.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import { FIND_STORE } from '../work/find-store.ts';

const FIELDS =
  'm.id, m.installation_id AS "installationId", m.status, iso(m.created_at) AS "createdAt", iso(m.ended_at) AS "finishedAt"';
const COLUMNS = {
  id: 'uuid',
  installationId: 'uuid',
  status: oneOf('text', IMPORT_STATUSES),
  createdAt: 'text',
  finishedAt: 'text?',
} as const;

const firstFailed = (column: string): string => `(array_agg(${column} ORDER BY index) FILTER (WHERE status = 'Failed'))[1]`;

/** Summarises the imports `m`, which a subquery has chosen: their items are counted by their primary key. */
const summaryOf = (chosen: string, order: string): string => `
    SELECT ${FIELDS}, n.total, n.ready, n.failed, n.code, n.message
    FROM (${chosen}) m CROSS JOIN LATERAL (
      SELECT count(*)::int AS total, count(*) FILTER (WHERE status = 'Ready')::int AS ready, count(*) FILTER (WHERE status = 'Failed')::int AS failed,
        ${firstFailed('error_code')} AS code, ${firstFailed('error')} AS message
      FROM media_import_items WHERE store_id = $storeId AND import_id = m.id OFFSET 0
    ) n ORDER BY ${order}`;

const SUMMARY = {
  ...COLUMNS,
  total: 'int4',
  ready: 'int4',
  failed: 'int4',
  code: oneOf('text?', ITEM_ERRORS),
  message: 'text?',
} as const;

/** Each filter walks the index of a store from the newest. An import is kept for as long as the log. */
const LIST_MEDIA_IMPORTS = statement({
  text: summaryOf(
    `SELECT * FROM media_imports
     WHERE store_id = $storeId AND ($installationId::uuid IS NULL OR installation_id = $installationId) AND ($statuses::text[] IS NULL OR status = ANY ($statuses))
       AND ${isOlder('created_at', 'id')}
     ORDER BY created_at DESC, id DESC LIMIT $take`,
    'm.created_at DESC, m.id DESC',
  ),
  parameters: {
    storeId: 'uuid',
    installationId: 'uuid?',
    statuses: 'text[]?',
    afterAt: 'timestamptz?',
    afterId: 'uuid?',
    take: 'int8',
  },
  row: SUMMARY,
});

const FAILED = statement({
  text: summaryOf(
    `SELECT * FROM media_imports
     WHERE store_id = $storeId AND status IN ('CompletedWithErrors', 'Failed') AND ended_at >= statement_timestamp() - make_interval(days => $days)
     ORDER BY ended_at DESC, id DESC LIMIT $take`,
    'm.ended_at DESC, m.id DESC',
  ),
  parameters: { storeId: 'uuid', days: 'int4', take: 'int8' },
  row: SUMMARY,
});

const GET_MEDIA_IMPORT = statement({
  text: `
    SELECT ${FIELDS}, m.store_id AS "storeId", m.request_id AS "requestId", (
      SELECT json_agg(json_build_object('index', t.index, 'status', t.status, 'mediaId', CASE WHEN t.status = 'Ready' THEN t.media_id END,
        'errorCode', t.error_code, 'error', t.error, 'retryAt', iso(t.retry_at), 'retryReason', t.retry_reason, 'sourceUrl', t.source_url, 'productId', t.product_id,
        'productVariantId', t.product_variant_id) ORDER BY t.index)
      FROM media_import_items t WHERE t.store_id = $storeId AND t.import_id = m.id) AS items
    FROM media_imports m WHERE m.store_id = $storeId AND m.id = $id`,
  parameters: { storeId: 'uuid', id: 'uuid' },
  row: { ...COLUMNS, storeId: 'uuid', requestId: 'uuid?', items: json<readonly MediaImportItem[]>('json') },
});

const importSummaryOf = ({
  total,
  ready,
  failed,
  code,
  message,
  ...row
}: NonNullable<typeof LIST_MEDIA_IMPORTS.row>): ImportSummary => ({
  ...row,
  items: { total, ready, failed },
  firstError: firstErrorOf([{ errorCode: code, error: message }]),
});

export const mediaImportLog = (sql: Sql): MediaImportLog => ({
  list: async (storeId, { installationId = null, statuses = null }, { after, take }) => {
    const place = { afterAt: after && isoTime(after.at), afterId: after?.id ?? null };
    const [stores, rows] = await Promise.all([
      sql.execute(FIND_STORE, { storeId }),
      sql.rows(LIST_MEDIA_IMPORTS, { storeId, installationId, statuses, ...place, take }),
    ]);
    return stores === 0 ? null : rows.map(importSummaryOf);
  },
  failed: async (storeId, days, take) => (await sql.rows(FAILED, { storeId, days, take })).map(importSummaryOf),
  get: async (storeId, id) => {
    const [row] = await sql.rows(GET_MEDIA_IMPORT, { storeId, id });
    return row ? { ...row, firstError: firstErrorOf(row.items) } : null;
  },
});
