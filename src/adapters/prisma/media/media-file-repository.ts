import { randomUUID } from 'node:crypto';

import type { FileId, MediaFileRepository, MediaFileUse } from '../../../domain/ports/media/media-file-repository.ts';
import type { Database } from '../connection/database.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import { byStore } from '../../../domain/store-key.ts';

/** Condition on `media_files f`. Uses the index of media on its storage key. */
const IS_SHOWN = `EXISTS (
  SELECT FROM media m JOIN products p ON p.store_id = m.store_id AND p.id = m.product_id
  WHERE m.store_id = $storeId AND m.storage_key IN (f.key, $mediaUrl || '/' || f.key) AND m.deleted_at IS NULL AND p.deleted_at IS NULL)`;
const IS_UNUSED = `f.touched_at < statement_timestamp() - interval '1 hour' AND NOT ${IS_SHOWN}`;

const FILE = { storeId: 'uuid', key: 'text' } as const;

const ANNOUNCE = statement({
  text: `
    INSERT INTO media_files (store_id, key, content_type, size_bytes, width, height, touched_at, record)
    VALUES ($storeId, $key, $contentType, $sizeBytes, $width, $height, statement_timestamp(), $record)
    ON CONFLICT (store_id, key) DO UPDATE SET touched_at = excluded.touched_at
    RETURNING record`,
  parameters: { ...FILE, contentType: 'text', sizeBytes: 'int4', width: 'int4', height: 'int4', record: 'uuid' },
  row: { record: 'uuid?' },
});

/** Includes all stores. */
const PAGE = statement({
  text: `
    SELECT store_id AS "storeId", key FROM media_files WHERE (store_id, key) > ($afterStore::uuid, $afterKey) ORDER BY store_id, key LIMIT $limit`,
  parameters: { afterStore: 'uuid', afterKey: 'text', limit: 'int8' },
  row: FILE,
});

const UNUSED = statement({
  text: `
    SELECT f.store_id AS "storeId", f.key FROM media_files f WHERE f.store_id = $storeId AND f.key = ANY ($keys) AND ${IS_UNUSED} ORDER BY f.key`,
  parameters: { mediaUrl: 'text', storeId: 'uuid', keys: 'text[]' },
  row: FILE,
});

/** Files that live media refer to. */
export const SHOWN = statement({
  text: `
    SELECT f.key FROM media_files f WHERE f.store_id = $storeId AND f.key = ANY ($keys) AND ${IS_SHOWN}`,
  parameters: { mediaUrl: 'text', storeId: 'uuid', keys: 'text[]' },
  row: { key: 'text' },
});

const LOCK = statement({
  text: 'SELECT FROM media_files WHERE store_id = $storeId AND key = $key FOR UPDATE SKIP LOCKED',
  parameters: FILE,
});

const REMOVE = statement({ text: 'DELETE FROM media_files WHERE store_id = $storeId AND key = $key', parameters: FILE });

const KEEP = statement({
  text: `
    SELECT FROM media_files WHERE store_id = $storeId AND key = $key AND record IS NOT DISTINCT FROM $record FOR KEY SHARE`,
  parameters: { ...FILE, record: 'uuid?' },
});

/** Comes before every other. */
const NO_FILE = { storeId: '00000000-0000-0000-0000-000000000000', key: '' };

export const mediaFileRepository = (database: Database): MediaFileRepository => ({
  announce: async ({ storeId, key, contentType, sizeBytes, width, height }) => {
    const given = { storeId, key, contentType, sizeBytes, width, height, record: randomUUID() };
    return (await database.rows(ANNOUNCE, given))[0]?.record ?? null;
  },
  unused: async (mediaUrl, after, limit) => {
    const { storeId, key } = after ?? NO_FILE;
    const page = await database.rows(PAGE, { afterStore: storeId, afterKey: key, limit });
    const files: FileId[] = [];
    for (const [store, own] of byStore(page)) {
      files.push(...(await database.rows(UNUSED, { mediaUrl, storeId: store, keys: own.map((file) => file.key) })));
    }
    return { files, last: page.length < limit ? null : (page.at(-1) ?? null) };
  },
  // The lock lasts until the file is removed, even if the storage is slow or the process is paused: a file that is removed
  // after its lock was lost may have been stored again.
  free: (mediaUrl, { storeId, key }, remove) =>
    database.transaction(
      async (sql) => {
        if ((await sql.execute(LOCK, { storeId, key })) === 0) return false;
        // Judged by a separate statement that begins under the lock, and so sees what an import has committed.
        if ((await sql.execute(UNUSED, { mediaUrl, storeId, keys: [key] })) === 0) return false;
        await remove(key);
        await sql.execute(REMOVE, { storeId, key });
        return true;
      },
      // A file that was removed may be stored again before a second try. The next sweep judges it.
      { mayIdle: true, isUnrepeatable: true },
    ),
});

export const mediaFileUse = (sql: Sql): MediaFileUse => ({
  // Other transactions may announce the file and refer to it meanwhile. Only freeing it needs the row alone.
  keep: async (storeId, key, record) => (await sql.execute(KEEP, { storeId, key, record })) > 0,
});
