import type { CollectionRepository } from '../../../src/domain/ports/catalogue/collection-repository.ts';
import { collectionsOf, liveProducts } from './catalogue-tables.ts';
import type { MemoryState } from '../state.ts';

export const collectionRepository = (state: MemoryState): CollectionRepository => ({
  get: async (storeId, id) => collectionsOf(state).get(`${storeId}/${id}`) ?? null,
  idByHandle: async (storeId, handle) =>
    [...collectionsOf(state)].find(([key, collection]) => key.startsWith(`${storeId}/`) && collection.handle === handle)?.[1]
      .id ?? null,
  missing: async (storeId, productIds) => {
    const live = new Set(liveProducts(state, storeId).map(({ id }) => id));
    return productIds.filter((id) => !live.has(id));
  },
  save: async (storeId, collection) => {
    collectionsOf(state).set(`${storeId}/${collection.id}`, collection);
  },
  remove: async (storeId, id) => {
    collectionsOf(state).delete(`${storeId}/${id}`);
  },
});
