import type { VariantReader } from '../../../src/domain/ports/catalogue/variant-reader.ts';
import type { MemoryState } from '../state.ts';
import { isNamed } from './bulk-variant-repository.ts';
import { liveProducts } from './catalogue-tables.ts';

export const variantReader = (state: MemoryState): VariantReader => ({
  find: async (storeId, names, after, limit) =>
    liveProducts(state, storeId)
      .flatMap(({ variants }) => variants.filter((variant) => isNamed(variant, names)))
      .filter(({ id }) => after === null || id > after)
      .sort((one, other) => (one.id < other.id ? -1 : 1))
      .slice(0, limit),
});
