import { randomUUID } from 'node:crypto';
import { createMemoryPorts } from '../../memory/index.ts';
import { installationsOf } from '../../memory/identity/identity-tables.ts';
import { createMemoryState, table } from '../../memory/state.ts';
import { systemClock } from '../../../src/adapters/node/clock.ts';
import { sequentialIds } from '../../memory/ids.ts';
import { apps, at, categories, scopes, stores, type CustomDataWorld } from '../custom-data-world.ts';

const NOT_ROTATED = { previousClientSecretExpiresAt: null, previousSigningSecretExpiresAt: null };

export const memoryCustomDataWorld = async (): Promise<CustomDataWorld> => {
  const state = createMemoryState();
  for (const id of stores) {
    table(state, 'stores').set(id, {
      id,
      domain: `${id}.example`,
      name: id,
      currency: 'USD',
      status: 'Active',
      createdAt: at,
      updatedAt: null,
    });
  }
  for (const { secret, ...app } of apps) {
    const more = { name: app.id, clientId: app.id, platformAppId: null, scopes, createdAt: at, updatedAt: null };
    installationsOf(state).set(app.id, { ...app, ...more, uninstalledAt: null, ...NOT_ROTATED });
    if (secret) table(state, 'signing_secrets').set(randomUUID(), { ownerId: app.id, kept: 'sealed', expiresAt: Infinity });
  }
  for (const category of categories) table(state, 'categories').set(`${category.storeId}/${category.id}`, category);
  const options = { clock: systemClock, ids: { ...sequentialIds(), next: randomUUID }, idempotencyTtlSeconds: 86_400 };
  return { ...createMemoryPorts(options, state), nextId: sequentialIds().next, close: () => Promise.resolve() };
};
