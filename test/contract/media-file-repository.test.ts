import { manualClock } from '../memory/clock.ts';
import { sequentialIds } from '../memory/ids.ts';
import { createMemoryPorts } from '../memory/index.ts';
import { mediaFilesOf } from '../memory/media/media-file-repository.ts';
import { createMemoryState } from '../memory/state.ts';
import { createPrismaPorts } from '../../src/adapters/prisma/index.ts';
import { openTestDatabase } from '../support/postgres.ts';
import { mediaFileRepositoryContract } from './media-file-repository.contract.ts';

mediaFileRepositoryContract('memory', async () => {
  const clock = manualClock();
  const ids = sequentialIds();
  const state = createMemoryState();
  return {
    ports: createMemoryPorts({ clock, ids, idempotencyTtlSeconds: 60 }, state),
    ids,
    aStore: async () => ids.next(),
    files: async (storeId) =>
      [...mediaFilesOf(state).values()]
        .filter((row) => row.storeId === storeId)
        .map(({ touchedAt, ...row }) => ({ ...row, age: (clock.now() - touchedAt) / 1000 })),
    pass: async (seconds) => {
      clock.advance(seconds * 1000);
    },
    close: async () => undefined,
  };
});

mediaFileRepositoryContract('prisma', async () => {
  const database = await openTestDatabase();
  const ids = sequentialIds();
  return {
    ports: createPrismaPorts(database, { clock: manualClock(), ids, idempotencyTtlSeconds: 60 }),
    ids,
    aStore: async () => {
      const id = ids.next();
      await database.prisma.store.create({ data: { id, domain: `${id}.test`, name: 'Store', currency: 'EUR' } });
      return id;
    },
    files: (storeId) =>
      database.query(
        `SELECT store_id AS "storeId", key, content_type AS "contentType", size_bytes AS "sizeBytes", width, height,
           extract(epoch FROM now() - touched_at)::float AS age FROM media_files WHERE store_id = $1`,
        [storeId],
      ),
    pass: async (seconds) => {
      await database.query('UPDATE media_files SET touched_at = touched_at - make_interval(secs => $1)', [seconds]);
    },
    close: () => database.close(),
  };
});
