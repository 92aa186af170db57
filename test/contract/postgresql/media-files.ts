import { manualClock } from '../../memory/clock.ts';
import { sequentialIds } from '../../memory/ids.ts';
import { createPrismaPorts } from '../../../src/adapters/prisma/ports.ts';
import { openTestDatabase } from '../../support/postgres.ts';
import { type MediaFileWorld } from '../media-file-repository.contract.ts';
import { moveBack } from './move-back.ts';

export const postgresqlMediaFileWorld = async (): Promise<MediaFileWorld> => {
  const database = await openTestDatabase();
  const ids = sequentialIds();
  return {
    ports: createPrismaPorts(database, { clock: manualClock(), ids, idempotencyTtlSeconds: 60 }),
    ids,
    aStore: async () => {
      const id = ids.next();
      await database.prisma().store.create({ data: { id, domain: `${id}.test`, name: 'Store', currency: 'EUR' } });
      return id;
    },
    files: (storeId) =>
      database.query(
        `SELECT store_id AS "storeId", key, content_type AS "contentType", size_bytes AS "sizeBytes", width, height,
           extract(epoch FROM now() - touched_at)::float AS age FROM media_files WHERE store_id = $1`,
        [storeId],
      ),
    pass: async (seconds) => {
      await moveBack(database, 'media_files', ['touched_at'], seconds);
    },
    close: () => database.close(),
  };
};
