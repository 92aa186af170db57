import type { CollectionReader } from '../../../src/domain/ports/catalogue/collection-reader.ts';
import { collectionsOf } from './catalogue-tables.ts';
import { jsonDocument } from './json-document.ts';
import type { MemoryState } from '../state.ts';

export const collectionReader = (state: MemoryState): CollectionReader => ({
  page: async (storeId, id, { skip, take }, reading) => {
    const collection = collectionsOf(state).get(`${storeId}/${id}`);
    if (!collection) return null;
    const { productIds } = collection;
    const page = productIds.slice(skip, skip + take);
    return jsonDocument({ collectionId: id, productIds: page, skip, take, total: productIds.length }, reading);
  },
});
