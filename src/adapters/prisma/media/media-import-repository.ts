import { hasEnded, UNINSTALLED } from '../../../domain/media/media-import.ts';
import type { MediaImport } from '../../../domain/media/media-import.ts';
import type { ImportTask, MediaImportRepository, MediaImportWrites } from '../../../domain/ports/media-import-repository.ts';
import type { Sql } from '../connection/sql.ts';

const IS_OPEN = `t.status IN ('Pending', 'Downloading')`;

/** Of an open import, with its installation `i` and its store `st`. */
const IS_RUNNABLE = `(i.status = 'Installed' AND st.status = 'Active')`;

const OPEN_IMPORTS = `media_imports m JOIN installations i ON i.id = m.installation_id JOIN stores st ON st.id = m.store_id
  WHERE m.ended_at IS NULL`;

const READ = `
  SELECT m.id, m.store_id AS "storeId", m.installation_id AS "installationId", m.status, (
    SELECT json_agg(json_build_object('index', t.index, 'status', t.status, 'mediaId', t.media_id, 'errorCode', t.error_code,
      'error', t.error) ORDER BY t.index) FROM media_import_items t WHERE t.import_id = m.id) AS items
  FROM media_imports m`;

const CREATE = `
  WITH made AS (INSERT INTO media_imports (id, store_id, installation_id, created_at) VALUES ($1, $2, $3, clock_timestamp()))
  INSERT INTO media_import_items (import_id, index, media_id, source_url, product_id, product_variant_id, alt_text, position, ai_generated)
  SELECT $1, t.n - 1, t.media_id, t.source_url, t.product_id, t.variant_id, t.alt_text, t.position, t.ai_generated
  FROM unnest($4::uuid[], $5::text[], $6::uuid[], $7::uuid[], $8::text[], $9::int[], $10::bool[])
    WITH ORDINALITY AS t(media_id, source_url, product_id, variant_id, alt_text, position, ai_generated, n)`;

const BEGIN = `
  WITH next AS (
    SELECT t.import_id, t.index FROM media_import_items t JOIN (SELECT m.id FROM ${OPEN_IMPORTS} AND m.installation_id = $1 AND ${IS_RUNNABLE}) m
      ON m.id = t.import_id
    WHERE ${IS_OPEN} AND t.media_id <> ALL($2::uuid[])
    ORDER BY t.import_id, t.index LIMIT 1
  ), running AS (
    UPDATE media_imports m SET status = 'Running' FROM next WHERE m.id = next.import_id AND m.status = 'Queued'
  ), begun AS (
    UPDATE media_import_items t SET status = 'Downloading', tries = t.tries + 1 FROM next
    WHERE t.import_id = next.import_id AND t.index = next.index AND ${IS_OPEN}
    RETURNING t.*
  )
  SELECT b.import_id AS "importId", m.store_id AS "storeId", m.installation_id AS "installationId", b.index, b.media_id AS "mediaId",
    b.source_url AS "sourceUrl", b.product_id AS "productId", b.product_variant_id AS "productVariantId", b.alt_text AS "altText",
    b.position, b.ai_generated AS "aiGenerated", b.tries - 1 AS tries,
    CASE WHEN NOT EXISTS (SELECT FROM products p WHERE p.store_id = m.store_id AND p.id = b.product_id AND p.deleted_at IS NULL)
           THEN 'product_not_found'
         WHEN b.product_variant_id IS NOT NULL AND NOT EXISTS (SELECT FROM variants v
           WHERE v.store_id = m.store_id AND v.id = b.product_variant_id AND v.product_id = b.product_id AND v.deleted_at IS NULL)
           THEN 'variant_not_found' END AS missing
  FROM begun b JOIN media_imports m ON m.id = b.import_id`;

const PURGE = `
  DELETE FROM media_imports WHERE id IN (
    SELECT id FROM media_imports WHERE ended_at < statement_timestamp() - make_interval(days => $1)
    ORDER BY ended_at LIMIT $2 FOR UPDATE SKIP LOCKED)
  RETURNING 1`;

export const mediaImportRepository = (sql: Sql): MediaImportRepository => ({
  get: async (installationId, id) => {
    const [found] = await sql.query<MediaImport>(`${READ} WHERE m.id = $1 AND m.installation_id = $2`, [id, installationId]);
    return found ?? null;
  },
  begin: async (installationId, begun) => {
    const [task] = await sql.query<ImportTask>(BEGIN, [installationId, begun.map(({ mediaId }) => mediaId)]);
    return task ?? null;
  },
  requeue: async (begun) => {
    if (begun.length === 0) return;
    await sql.query(
      `UPDATE media_import_items t SET status = 'Pending', tries = t.tries - 1 FROM unnest($1::uuid[], $2::int[]) AS b(import_id, index)
       WHERE t.import_id = b.import_id AND t.index = b.index AND t.status = 'Downloading'`,
      [begun.map(({ importId }) => importId), begun.map(({ index }) => index)],
    );
  },
  toRun: async (owner) => {
    const rows = await sql.query<{ id: string }>(
      `SELECT DISTINCT m.installation_id AS id FROM ${OPEN_IMPORTS} AND (i.status = 'Uninstalled' OR ${IS_RUNNABLE})
         AND ($1::uuid IS NULL OR m.store_id = $1) AND ($2::uuid IS NULL OR m.installation_id = $2)`,
      [owner?.storeId ?? null, owner?.installationId ?? null],
    );
    return rows.map(({ id }) => id);
  },
  purge: async (days, limit) => (await sql.query(PURGE, [days, limit])).length,
  open: async () => {
    const [row] = await sql.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${OPEN_IMPORTS} AND ${IS_RUNNABLE}`);
    return row?.n ?? 0;
  },
});

export const mediaImportWrites = (sql: Sql): MediaImportWrites => ({
  create: async ({ id, storeId, installationId, items }) => {
    await sql.query(CREATE, [
      id,
      storeId,
      installationId,
      items.map((item) => item.mediaId),
      items.map((item) => item.sourceUrl),
      items.map((item) => item.productId),
      items.map((item) => item.productVariantId),
      items.map((item) => item.altText),
      items.map((item) => item.position),
      items.map((item) => item.aiGenerated),
    ]);
  },
  lockOpen: async (id) => {
    const open = await sql.query('SELECT FROM media_imports WHERE id = $1 AND ended_at IS NULL FOR UPDATE', [id]);
    if (open.length === 0) return null;
    // A separate statement: it sees what was committed while it waited for the lock.
    const [found] = await sql.query<MediaImport>(`${READ} WHERE m.id = $1`, [id]);
    return found ?? null;
  },
  settle: async (after, index) => {
    const item = after.items.find((one) => one.index === index);
    await sql.query(
      'UPDATE media_import_items SET status = $3, error_code = $4, error = $5 WHERE import_id = $1 AND index = $2',
      [after.id, index, item?.status, item?.errorCode, item?.error],
    );
    await sql.query(
      'UPDATE media_imports SET status = $2, ended_at = CASE WHEN $3::bool THEN statement_timestamp() END WHERE id = $1',
      [after.id, after.status, hasEnded(after)],
    );
  },
  endAll: async (installationId) => {
    const open = await sql.query<{ id: string }>(
      'SELECT id FROM media_imports WHERE installation_id = $1 AND ended_at IS NULL ORDER BY id FOR UPDATE',
      [installationId],
    );
    if (open.length === 0) return [];
    const ids = open.map(({ id }) => id);
    await sql.query(
      `UPDATE media_import_items t SET status = $2, error_code = $3, error = $4 WHERE t.import_id = ANY($1::uuid[]) AND ${IS_OPEN}`,
      [ids, UNINSTALLED.status, UNINSTALLED.errorCode, UNINSTALLED.error],
    );
    await sql.query(`UPDATE media_imports SET status = 'Failed', ended_at = statement_timestamp() WHERE id = ANY($1::uuid[])`, [
      ids,
    ]);
    return sql.query<MediaImport>(`${READ} WHERE m.id = ANY($1::uuid[]) ORDER BY m.id`, [ids]);
  },
});
