import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { StoreRepository } from '../../../src/domain/ports/identity/store-repository.ts';
import type { Store } from '../../../src/domain/identity/store.ts';
import { stopWork } from '../work-lease.ts';
import { hasText, pageOf } from '../list-page.ts';
import { storesOf } from './identity-tables.ts';
import { table, type MemoryState } from '../state.ts';
import { revokeTokens } from './token-repository.ts';

const domainTaken = (state: MemoryState, domain: string, id: string): boolean =>
  [...storesOf(state).values()].some((store) => store.domain === domain && store.id !== id);

const knownStore = (state: MemoryState, id: string): Store | undefined =>
  table(state, 'store_erasures').has(id) ? undefined : storesOf(state).get(id);

export const storeRepository = (state: MemoryState, clock: Clock): StoreRepository => ({
  create: async (store) => {
    if (domainTaken(state, store.domain, store.id)) return 'domain_taken';
    const created: Store = { ...store, status: 'Active', createdAt: new Date(clock.now()).toISOString(), updatedAt: null };
    storesOf(state).set(store.id, created);
    return created;
  },
  get: async (id) => knownStore(state, id) ?? null,
  atDomain: async (domain) => [...storesOf(state).values()].find((store) => store.domain === domain) ?? null,
  list: async (page, { q, status, ids = null } = {}) => {
    const stores = [...storesOf(state).values()]
      .filter(({ id }) => knownStore(state, id) && (ids === null || ids.includes(id)))
      .filter((store) => hasText(q, store.name, store.domain, store.id) && (status === undefined || store.status === status));
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
