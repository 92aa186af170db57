import type { Ports } from '../../domain/ports/index.ts';
import type { ProductFilter, ProductPage } from '../../domain/ports/catalogue/product-reader.ts';
import type { VariantNames } from '../../domain/catalogue/bulk-variant.ts';
import type { Reading } from '../../domain/reading.ts';
import { found, ok, refuse } from '../../domain/result.ts';

const TOO_SLOW = refuse('unavailable', 'The search took too long. Use a longer or more specific q.');

type LookupPorts = Pick<Ports, 'collectionReader' | 'productReader' | 'variantReader'>;

export const catalogueLookups = ({ collectionReader, productReader, variantReader }: LookupPorts) => ({
  /** A page of the live variants of the store with these names, by id. */
  findVariants: async (storeId: string, names: VariantNames, after: string | null, take: number) => {
    const named = await variantReader.find(storeId, names, after, take + 1);
    const items = named.slice(0, take);
    return ok({ items, next: named.length > take ? (items.at(-1)?.id ?? null) : null });
  },
  /** The detail of a live product of the store. */
  getProduct: found('Product', productReader.detail),
  /** A page of a collection's product ids in their order. */
  listCollectionProducts: found('Collection', collectionReader.page),
  /** A page of the store's live products. `unavailable` when the search takes too long. */
  listProducts: async (storeId: string, page: ProductPage, filter: ProductFilter, reading?: Reading) => {
    const list = await productReader.list(storeId, page, filter, reading);
    return list === null ? TOO_SLOW : ok(list);
  },
});
