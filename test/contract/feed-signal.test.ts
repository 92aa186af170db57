import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';

import { manualClock } from '../memory/clock.ts';
import { sequentialIds } from '../memory/ids.ts';
import { createMemoryPorts } from '../memory/index.ts';
import { createMemoryState } from '../memory/state.ts';
import { createFeedSignal as memorySignal } from '../memory/webhooks/feed-signal.ts';
import { createPrismaPorts } from '../../src/adapters/prisma/index.ts';
import { createFeedSignal } from '../../src/adapters/prisma/webhooks/feed-signal.ts';
import type { Ids } from '../../src/domain/ports/ids.ts';
import { DatabaseUnavailable } from '../../src/domain/ports/transaction.ts';
import { freePort } from '../support/free-port.ts';
import { openTestDatabase } from '../support/postgres.ts';
import { feedSignalContract, type SignalWorld, type WatchingApp } from './feed-signal.contract.ts';

const anApp = async ({ stores, installations }: SignalWorld['ports'], ids: Ids): Promise<WatchingApp> => {
  const [storeId, installationId] = [ids.next(), ids.next()];
  await stores.create({ id: storeId, domain: `${storeId}.test`, name: 'Store', currency: 'EUR' });
  const hash = installationId.replaceAll('-', '').repeat(2);
  const secrets = { clientSecret: { id: ids.next(), hash }, signingSecret: { id: ids.next(), sealed: 'sealed' } };
  const app = { id: installationId, storeId, name: 'App', clientId: installationId, scopes: [] };
  await installations.create({ ...app, ...secrets });
  return { storeId, installationId };
};

const memoryWorld = async (): Promise<SignalWorld> => {
  const ids = sequentialIds();
  const state = createMemoryState();
  const ports = createMemoryPorts({ clock: manualClock(), ids, idempotencyTtlSeconds: 60 }, state);
  return {
    ports,
    node: () => memorySignal(state),
    anApp: () => anApp(ports, ids),
    connections: async () => 0,
    close: async () => undefined,
  };
};

const prismaWorld = async (): Promise<SignalWorld> => {
  const database = await openTestDatabase();
  const ids = sequentialIds();
  const ports = createPrismaPorts(database, { clock: manualClock(), ids, idempotencyTtlSeconds: 60 });
  return {
    ports,
    node: () => createFeedSignal({ url: database.url }),
    anApp: () => anApp(ports, ids),
    connections: async () =>
      (
        await database.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'tenon feed'`,
        )
      ).length,
    close: () => database.close(),
  };
};

feedSignalContract('memory', memoryWorld);
feedSignalContract('prisma', prismaWorld);

it('a database that cannot be reached is an outage, for which a request is answered 503', async () => {
  const signal = createFeedSignal({ url: `postgresql://nobody@127.0.0.1:${await freePort()}/none` });
  const watch = signal.watch({ storeId: randomUUID(), installationId: randomUUID() }, 1, new AbortController().signal);
  await expect(watch).rejects.toBeInstanceOf(DatabaseUnavailable);
  await signal.close();
});
