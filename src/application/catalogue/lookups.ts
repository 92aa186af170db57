import type { Ports } from '../../domain/ports/index.ts';
import type { ProductFilter, ProductPage } from '../../domain/ports/catalogue/product-reader.ts';
import type { VariantNames } from '../../domain/catalogue/bulk-variant.ts';
import type { RawVariantChange } from '../../domain/catalogue/variant-change.ts';
import { shownWarehouse } from '../../domain/catalogue/warehouse.ts';
import { MAX_BULK_PRODUCTS } from '../../domain/catalogue/bulk-change.ts';
import type { Reading } from '../../domain/reading.ts';
import { pageByPlace, type PlacedPageQuery } from '../../domain/place.ts';
import { orNotFound, ok, refuse } from '../../domain/result.ts';
import { pick } from '../../domain/values/pick.ts';
import { namesOf } from './update-variants.ts';

const TOO_SLOW = refuse('unavailable', 'The search took too long. Use a longer or more specific q.');

const FIGURES = ['id', 'sku', 'price', 'compareAtPrice'] as const;
const STOCK = ['warehouseId', 'available', 'onHand', 'reserved'] as const;

type LookupPorts = Pick<Ports, 'collectionReader' | 'productImports' | 'productReader' | 'variantReader' | 'warehouseReader'>;

export const catalogueLookups = ({
  collectionReader,
  productImports,
  productReader,
  variantReader,
  warehouseReader,
}: LookupPorts) => ({
  /** A page of the live variants of the store with these names, by id. */
  findVariants: async (storeId: string, names: VariantNames, after: string | null, take: number) => {
    const named = await variantReader.find(storeId, names, after, take + 1);
    const items = named.slice(0, take);
    return ok({ items, next: named.length > take ? (items.at(-1)?.id ?? null) : null });
  },
  /** The prices and the stock of the variants that a bulk update names: what it may change. */
  getVariantFigures: async (storeId: string, changes: readonly RawVariantChange[]) => {
    const named = await variantReader.find(storeId, namesOf(changes), null, MAX_BULK_PRODUCTS);
    return ok(named.map((variant) => ({ ...pick(variant, FIGURES), stock: variant.inventory.map((at) => pick(at, STOCK)) })));
  },
  /** The detail of a live product of the store. */
  getProduct: orNotFound('Product', productReader.detail),
  /** A page of a collection's product ids in their order. */
  listCollectionProducts: orNotFound('Collection', collectionReader.page),
  /** The imports of products into a store, the newest first. */
  listProductImports: orNotFound('Store', (storeId: string, query: PlacedPageQuery) =>
    pageByPlace(query, (page) => productImports.list(storeId, page), 'startedAt'),
  ),
  /** A page of the store's live products. `unavailable` when the search takes too long. */
  listProducts: async (storeId: string, page: ProductPage, filter: ProductFilter, reading?: Reading) => {
    const list = await productReader.list(storeId, page, filter, reading);
    return list === null ? TOO_SLOW : ok(list);
  },
  /** A page of the warehouses of a store, by id. `next` is the id with which the list continues. */
  listWarehouses: orNotFound('Store', async (storeId: string, from: string | null, take: number) => {
    const found = await warehouseReader.page(storeId, from, take + 1);
    return found && { items: found.slice(0, take).map(shownWarehouse), next: found[take]?.id ?? null };
  }),
});
