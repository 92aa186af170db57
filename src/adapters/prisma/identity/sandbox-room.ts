import { MAX_SANDBOX_ENTRIES, MAX_SANDBOX_IMAGES } from '../../../domain/identity/sandbox.ts';
import type { SandboxRoom } from '../../../domain/ports/identity/sandbox-room.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';

const STORE = { storeId: 'uuid' } as const;

/**
 * A transaction keeps the lock until it ends. A merchant's store has no row and no lock, and its
 * requests do not wait.
 */
const LOCK = statement({
  text: `
    SELECT pg_advisory_xact_lock(hashtextextended('sandbox/' || $storeId::uuid, 0))
    FROM stores WHERE id = $storeId AND sandbox_app_id IS NOT NULL`,
  parameters: STORE,
});

/** `present` is SQL for what the store has. */
const roomFor = (present: string, most: number) =>
  ({ text: `SELECT (${most} - ${present})::int AS room`, parameters: STORE, row: { room: 'int4' } }) as const;

const FOR_ENTRIES = statement(
  roomFor('(SELECT count(*) FROM metaobject_entries WHERE store_id = $storeId)', MAX_SANDBOX_ENTRIES),
);

const FOR_IMAGES = statement(
  roomFor(
    `(SELECT count(*) FROM media_files WHERE store_id = $storeId)
      - (SELECT count(*) FROM media_imports m JOIN media_import_items t ON t.store_id = m.store_id AND t.import_id = m.id
         WHERE m.store_id = $storeId AND m.ended_at IS NULL AND t.status IN ('Pending', 'Downloading'))`,
    MAX_SANDBOX_IMAGES,
  ),
);

/** The count is a separate statement: it sees what others committed while the first waited for the lock. */
const roomOf =
  (sql: Sql, count: typeof FOR_ENTRIES) =>
  async (storeId: string): Promise<number | null> => {
    if ((await sql.execute(LOCK, { storeId })) === 0) return null;
    const [row] = await sql.rows(count, { storeId });
    return row?.room ?? null;
  };

export const sandboxRoom = (sql: Sql): SandboxRoom => ({
  forEntries: roomOf(sql, FOR_ENTRIES),
  forImages: roomOf(sql, FOR_IMAGES),
});
