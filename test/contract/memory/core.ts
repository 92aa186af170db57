import { createMemoryPorts } from '../../memory/index.ts';
import { installationsOf } from '../../memory/identity/identity-tables.ts';
import { createMemoryState, table } from '../../memory/state.ts';
import type { StoredEvent } from '../../memory/webhooks/event-repository.ts';
import { productReader as memoryReader } from '../../memory/catalogue/product-reader.ts';
import type { Category, Product } from '../../../src/domain/catalogue/product.ts';
import { manualClock } from '../../memory/clock.ts';
import { sequentialIds } from '../../memory/ids.ts';
import { START, TTL_SECONDS, type World } from '../worlds.ts';

const NOT_ROTATED = { previousClientSecretExpiresAt: null, previousSigningSecretExpiresAt: null };

const standard = (id: string, storeId: string) => ({
  id,
  tenantId: storeId,
  createdAt: new Date(START).toISOString(),
  updatedAt: null,
  deletedAt: null,
  isDeleted: false,
});

export const memoryWorld = async (): Promise<World> => {
  const clock = manualClock(START);
  const ids = sequentialIds();
  const state = createMemoryState();
  const ports = createMemoryPorts({ clock, ids, idempotencyTtlSeconds: TTL_SECONDS }, state);
  return {
    ports,
    aStore: async () => {
      const id = ids.next();
      await ports.stores.create({ id, domain: `${id}.example`, name: 'Store', currency: 'USD' });
      return id;
    },
    anInstallation: async (storeId) => {
      const [id, createdAt] = [ids.next(), new Date(START).toISOString()];
      const installation = {
        id,
        storeId,
        name: 'App',
        clientId: id,
        platformAppId: null,
        scopes: [],
        status: 'Installed' as const,
      };
      installationsOf(state).set(id, { ...installation, createdAt, updatedAt: null, uninstalledAt: null, ...NOT_ROTATED });
      return id;
    },
    aProduct: async (storeId, { variantCount, ...fields }) => {
      const variants = Array.from({ length: variantCount }, () => standard(ids.next(), storeId));
      table<Product>(state, 'products').set(`${storeId}/${fields.id}`, {
        ...standard(fields.id, storeId),
        ...fields,
        variants,
      } as unknown as Product);
    },
    aCategory: async (storeId, id) => {
      table<Category>(state, 'categories').set(`${storeId}/${id}`, {
        ...standard(id, storeId),
        name: 'C',
        slug: null,
        parentId: null,
        position: 0,
      });
    },
    remove: async (storeId, from, id) => {
      const rows = table<{ deletedAt: string | null }>(state, from);
      const row = rows.get(`${storeId}/${id}`);
      if (row) rows.set(`${storeId}/${id}`, { ...row, deletedAt: new Date(START).toISOString() });
    },
    pass: async (seconds) => {
      clock.advance(seconds * 1000);
    },
    events: async () =>
      [...table<StoredEvent>(state, 'events').values()].map(({ type, resourceId, requestId, body }) => ({
        type,
        resourceId,
        requestId,
        body,
      })),
    withSlowSearch: (work) => work(memoryReader(state, { isSlow: true })),
    slugHistory: async (storeId) =>
      Object.fromEntries(
        [...table<string>(state, 'slug_history')].flatMap(([key, id]) => (key.startsWith(storeId) ? [[key.slice(37), id]] : [])),
      ),
    close: async () => undefined,
  };
};
