import type { CollectionReader } from '../../../domain/ports/collection-reader.ts';
import { collectionsOf } from './catalogue-tables.ts';
import type { MemoryState } from '../state.ts';

export const collectionReader = (state: MemoryState): CollectionReader => ({
  page: async (storeId, id, { skip, take }) => {
    const collection = collectionsOf(state).get(`${storeId}/${id}`);
    if (!collection) return null;
    const { productIds } = collection;
    return JSON.stringify({
      collectionId: id,
      productIds: productIds.slice(skip, skip + take),
      skip,
      take,
      total: productIds.length,
    });
  },
});
