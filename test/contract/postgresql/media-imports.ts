import { manualClock } from '../../memory/clock.ts';
import { sequentialIds } from '../../memory/ids.ts';
import { createPrismaPorts } from '../../../src/adapters/prisma/ports.ts';
import { openTestDatabase } from '../../support/postgres.ts';
import type { MediaImportWorld } from '../media-import-repository.contract.ts';
import { catalogueOf } from '../media-import-worlds.ts';
import { moveBack } from './move-back.ts';

export const postgresqlMediaImportWorld = async (): Promise<MediaImportWorld> => {
  const clock = manualClock();
  const database = await openTestDatabase();
  const ids = sequentialIds();
  const ports = { clock, ...createPrismaPorts(database, { clock, ids, idempotencyTtlSeconds: 60 }) };
  return {
    ports,
    ids,
    ...catalogueOf(ports, ids),
    setStore: async (id, status) => {
      await database.query('UPDATE stores SET status = $2 WHERE id = $1', [id, status]);
    },
    setApp: async (id, status) => {
      await database.query(`UPDATE installations SET status = $2::text, uninstalled_at = $3 WHERE id = $1`, [
        id,
        status,
        status === 'Uninstalled' ? new Date() : null,
      ]);
    },
    passDays: async (days) => {
      await moveBack(database, 'media_imports', ['ended_at'], days * 86_400);
    },
    close: () => database.close(),
  };
};
