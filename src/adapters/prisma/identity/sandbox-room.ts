import { MAX_SANDBOX_ENTRIES, MAX_SANDBOX_IMAGES } from '../../../domain/identity/sandbox.ts';
import type { SandboxRoom } from '../../../domain/ports/identity/sandbox-room.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';

/** No row for the store of a merchant. `present` is SQL for what the store has. */
const roomFor = (present: string, most: number) =>
  ({
    text: `SELECT (${most} - ${present})::int AS room FROM stores WHERE id = $storeId AND sandbox_app_id IS NOT NULL`,
    parameters: { storeId: 'uuid' },
    row: { room: 'int4' },
  }) as const;

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

export const sandboxRoom = (sql: Sql): SandboxRoom => ({
  forEntries: async (storeId) => (await sql.rows(FOR_ENTRIES, { storeId }))[0]?.room ?? null,
  forImages: async (storeId) => (await sql.rows(FOR_IMAGES, { storeId }))[0]?.room ?? null,
});
