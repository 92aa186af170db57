import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { NewStore, Sandboxes, StoreRepository } from '../../../src/domain/ports/identity/store-repository.ts';
import { MAX_ERASED_SANDBOXES, MAX_SANDBOXES } from '../../../src/domain/identity/sandbox.ts';
import type { Store } from '../../../src/domain/identity/store.ts';
import { storeErasure } from '../erasure/store-erasure.ts';
import { stopWork } from '../work-lease.ts';
import { hasTextOrId, pageOf } from '../list-page.ts';
import { byCreation, storesOf } from './identity-tables.ts';
import { table, type MemoryState } from '../state.ts';
import { revokeTokens } from './token-repository.ts';

const domainTaken = (state: MemoryState, domain: string, id: string): boolean =>
  [...storesOf(state).values()].some((store) => store.domain === domain && store.id !== id);

const knownStore = (state: MemoryState, id: string): Store | undefined =>
  table(state, 'store_erasures').has(id) ? undefined : storesOf(state).get(id);

const createStore = (state: MemoryState, clock: Clock, store: NewStore, sandboxAppId: string | null): Store => {
  const createdAt = new Date(clock.now()).toISOString();
  const created: Store = { ...store, sandboxAppId, status: 'Active', createdAt, updatedAt: null };
  storesOf(state).set(store.id, created);
  return created;
};

const sandboxesOf = (state: MemoryState, appId: string): Sandboxes => {
  const own = [...storesOf(state).values()].filter((row) => row.sandboxAppId === appId).sort(byCreation);
  const stores = own.filter(({ id }) => knownStore(state, id));
  return { stores, erasing: own.length - stores.length };
};

export const storeRepository = (state: MemoryState, clock: Clock): StoreRepository => ({
  create: async (store) => {
    if (domainTaken(state, store.domain, store.id)) return 'domain_taken';
    return createStore(state, clock, store, null);
  },
  createSandbox: async (store, appId) => {
    const find = () => sandboxesOf(state, appId).stores.find(({ domain }) => domain === store.domain);
    const { stores, erasing } = sandboxesOf(state, appId);
    if (!find() && stores.length >= MAX_SANDBOXES) return 'too_many';
    if (erasing >= MAX_ERASED_SANDBOXES) return 'too_many_erased';
    // While one is stopped, another call may create the next.
    for (let present = find(); present; present = find()) await storeErasure(state, clock).accept(present.id, present.domain);
    if (domainTaken(state, store.domain, store.id)) return 'domain_taken';
    return createStore(state, clock, store, appId);
  },
  sandboxes: async (appId) => sandboxesOf(state, appId),
  get: async (id) => knownStore(state, id) ?? null,
  atDomain: async (domain) => [...storesOf(state).values()].find((store) => store.domain === domain) ?? null,
  list: async (page, { q, status, ids = null } = {}) => {
    const stores = [...storesOf(state).values()]
      .filter(({ id }) => knownStore(state, id) && (ids === null || ids.includes(id)))
      .filter(
        (store) => hasTextOrId(q, [store.name, store.domain], [store.id]) && (status === undefined || store.status === status),
      );
    return pageOf(stores, page);
  },
  update: async (id, { name, domain, status }) => {
    const store = knownStore(state, id);
    if (!store) return null;
    if (domain !== undefined && domainTaken(state, domain, id)) return 'domain_taken';
    const updated: Store = {
      ...store,
      name: name ?? store.name,
      domain: domain ?? store.domain,
      status: status ?? store.status,
      updatedAt: new Date(clock.now()).toISOString(),
    };
    const write = (): Store => {
      storesOf(state).set(id, updated);
      return updated;
    };
    if (status !== 'Inactive') return write();
    return stopWork(
      state,
      (row) => row.storeId === id,
      () => {
        revokeTokens(state, (installation) => installation.storeId === id);
        return write();
      },
    );
  },
});
