import type { FileId, MediaFileRepository, MediaFileUse } from '../../../domain/ports/media-file-repository.ts';
import type { Database } from '../connection/database.ts';
import type { Sql } from '../connection/sql.ts';

/** Of `media_files f`; $1 is MEDIA_URL. By the index of media on its storage key. */
const IS_UNUSED = `f.touched_at < statement_timestamp() - interval '1 hour' AND NOT EXISTS (
  SELECT FROM media m JOIN products p ON p.store_id = m.store_id AND p.id = m.product_id
  WHERE m.store_id = f.store_id AND m.storage_key IN (f.key, $1 || '/' || f.key) AND m.deleted_at IS NULL AND p.deleted_at IS NULL)`;

/**
 * To free a file, its row stays locked until the file is removed, for any time that the storage
 * takes and even while the process is paused: a file removed after the lock was lost might have
 * been stored again. A machine that is gone does not answer keepalives, and its lock ends after
 * half a minute.
 */
const HOLD_ON = `SELECT set_config('idle_in_transaction_session_timeout', '0', true), set_config('tcp_keepalives_idle', '15', true),
  set_config('tcp_keepalives_interval', '5', true), set_config('tcp_keepalives_count', '3', true)`;

/** Before every other. */
const NO_STORE = '00000000-0000-0000-0000-000000000000';

interface Judged extends FileId {
  readonly isUnused: boolean;
}

export const mediaFileRepository = (sql: Database): MediaFileRepository => ({
  announce: async ({ storeId, key, contentType, sizeBytes, width, height }) => {
    await sql.query(
      `INSERT INTO media_files (store_id, key, content_type, size_bytes, width, height, touched_at)
       VALUES ($1, $2, $3, $4, $5, $6, statement_timestamp())
       ON CONFLICT (store_id, key) DO UPDATE SET touched_at = excluded.touched_at`,
      [storeId, key, contentType, sizeBytes, width, height],
    );
  },
  unused: async (mediaUrl, after, limit) => {
    const rows = await sql.query<Judged>(
      `SELECT f.store_id AS "storeId", f.key, ${IS_UNUSED} AS "isUnused" FROM media_files f
       WHERE (f.store_id, f.key) > ($2::uuid, $3) ORDER BY f.store_id, f.key LIMIT $4`,
      [mediaUrl, after?.storeId ?? NO_STORE, after?.key ?? '', limit],
    );
    return { files: rows.filter(({ isUnused }) => isUnused), last: rows.length < limit ? null : (rows.at(-1) ?? null) };
  },
  free: (mediaUrl, { storeId, key }, remove) =>
    sql.transaction(async (tx) => {
      await tx.query(HOLD_ON);
      // Judged by a separate statement, begun under the lock. One statement for both might judge by
      // the state before the commit of an import.
      const lock = 'SELECT FROM media_files WHERE store_id = $1 AND key = $2 FOR UPDATE SKIP LOCKED';
      const judge = `SELECT FROM media_files f WHERE f.store_id = $2 AND f.key = $3 AND ${IS_UNUSED}`;
      if ((await tx.query(lock, [storeId, key])).length === 0) return false;
      if ((await tx.query(judge, [mediaUrl, storeId, key])).length === 0) return false;
      await remove(key);
      await tx.query('DELETE FROM media_files WHERE store_id = $1 AND key = $2', [storeId, key]);
      return true;
    }),
});

export const mediaFileUse = (sql: Sql): MediaFileUse => ({
  // Others may announce the file and refer to it at the same time. Freeing it needs an exclusive
  // lock.
  keep: async (storeId, key) =>
    (await sql.query('SELECT FROM media_files WHERE store_id = $1 AND key = $2 FOR KEY SHARE', [storeId, key])).length > 0,
});
