import { installRequestsOf } from '../../memory/identity/install-requests.ts';
import { tokensOf } from '../../memory/identity/identity-tables.ts';
import { createWorkLeases as memoryLeases } from '../../memory/work-lease.ts';
import { keysOf } from '../../memory/idempotency/key-tables.ts';
import { table } from '../../memory/state.ts';
import { claimKey } from '../../support/claim-key.ts';
import type { IdentityWorld } from '../identity-worlds.ts';
import { openMemory } from './open-memory.ts';

export const memoryIdentityWorld = async (): Promise<IdentityWorld> => {
  const { clock, ids, state, ports } = openMemory();
  return {
    ports,
    ids,
    leases: memoryLeases(state),
    pass: async (seconds) => {
      clock.advance(seconds * 1000);
    },
    aSubscriptionAndAKey: async ({ id, storeId }) => {
      const key = ids.next();
      table(state, 'subscriptions').set(key, { id: key, storeId, installationId: id });
      await claimKey(ports, { storeId, installationId: id, key: 'k' }, '00'.repeat(32));
    },
    tokens: async (installationId, count) => {
      const expiresAt = clock.now() + 1_000;
      for (let made = 0; made < count; made += 1) tokensOf(state).set(ids.next(), { installationId, expiresAt });
    },
    keepInstallRequest: async (request) => {
      installRequestsOf(state).set(`${request.storeId}/${request.id}`, { ...request, expiresAt: clock.now() + 600_000 });
    },
    owned: async (id) => {
      const subscriptions = [...table<{ installationId: string }>(state, 'subscriptions').values()];
      return (
        subscriptions.filter((row) => row.installationId === id).length +
        [...keysOf(state).keys()].filter((key) => key.includes(id)).length
      );
    },
    close: async () => undefined,
  };
};
