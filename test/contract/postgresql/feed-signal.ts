import { manualClock } from '../../memory/clock.ts';
import { sequentialIds } from '../../memory/ids.ts';
import { createPrismaPorts } from '../../../src/adapters/prisma/ports.ts';
import { createFeedSignal } from '../../../src/adapters/prisma/webhooks/feed/feed-signal.ts';
import { openTestDatabase } from '../../support/postgres.ts';
import type { SignalWorld } from '../feed-signal.contract.ts';
import { aWatchingApp } from '../feed-signal-worlds.ts';
import { onOwnSession } from '../../support/own-session.ts';

export const postgresqlSignalWorld = async (): Promise<SignalWorld> => {
  const database = await openTestDatabase();
  const ids = sequentialIds();
  const ports = createPrismaPorts(database, { clock: manualClock(), ids, idempotencyTtlSeconds: 60 });
  return {
    ports,
    node: () => onOwnSession(database.url, (session) => createFeedSignal({ session, sql: database })),
    anApp: () => aWatchingApp(ports, ids),
    connections: async () =>
      (
        await database.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'tenon signals'`,
        )
      ).length,
    close: () => database.close(),
  };
};
