import type { ProductRepository } from '../../../src/domain/ports/catalogue/product-repository.ts';
import type { Product, Standard } from '../../../src/domain/catalogue/product.ts';
import { versionOf } from './json-document.ts';
import { collectionsOf, liveProducts, lockProducts, productsOf, whole } from './catalogue-tables.ts';
import type { TransactionLocks } from '../locks.ts';
import { table, type MemoryState } from '../state.ts';

const idsIn = ({ variants, media, options, bundleComponents, ...product }: Product): string[] => {
  const ids = (kind: string, elements: readonly Standard[]): string[] => elements.map(({ id }) => `${kind}/${id}`);
  return [
    ...ids('variant', variants),
    ...ids('media', media),
    ...ids('option', options),
    ...ids(
      'value',
      options.flatMap(({ values }) => values),
    ),
    ...ids(
      'inventory',
      variants.flatMap(({ inventory }) => inventory),
    ),
    ...ids(
      'variantValue',
      variants.flatMap(({ optionValues }) => optionValues),
    ),
    ...ids('component', bundleComponents),
    ...ids(
      'allowed',
      bundleComponents.flatMap(({ allowedVariants }) => allowedVariants),
    ),
    ...ids('asset', product.digitalAssets),
    ...ids('field', product.personalizationFields),
    ...ids('category', product.productCategories),
    ...ids('specification', product.specifications),
  ];
};

export const productRepository = (state: MemoryState, locks: TransactionLocks): ProductRepository => {
  const history = (): Map<string, string> => table<string>(state, 'slug_history');
  const taken = (storeId: string, product: Product): boolean => {
    const others = [...productsOf(state).values()].filter(({ tenantId, id }) => tenantId === storeId && id !== product.id);
    const ids = new Set(others.flatMap(idsIn));
    return idsIn(product).some((id) => ids.has(id)) || others.some(({ slug }) => slug !== null && slug === product.slug);
  };
  const save: ProductRepository['save'] = async (storeId, products) => {
    const failures = new Map<string, string>();
    for (const product of products) {
      const key = `${storeId}/${product.id}`;
      const before = productsOf(state).get(key);
      if (taken(storeId, product)) {
        failures.set(product.id, 'id: another record of the store has it');
        continue;
      }
      productsOf(state).set(key, product);
      if (before?.slug != null && before.slug !== product.slug) history().set(`${storeId}/${before.slug}`, product.id);
    }
    for (const { id, slug } of products) if (slug !== null && !failures.has(id)) history().delete(`${storeId}/${slug}`);
    return failures;
  };
  return {
    lockCatalogue: (storeId) => locks.take(`catalogue ${storeId}`),
    idsBySlug: async (storeId, slugs) =>
      new Map(
        liveProducts(state, storeId).flatMap(({ id, slug }) =>
          slug !== null && slugs.includes(slug) ? [[slug, id] as const] : [],
        ),
      ),
    idsByFormerSlug: async (storeId, slugs) =>
      new Map(
        slugs.flatMap((slug) => {
          const id = history().get(`${storeId}/${slug}`);
          return id === undefined ? [] : [[slug, id] as const];
        }),
      ),
    haveFormerSlugs: async (storeId, ids) => {
      const led = new Set([...history()].flatMap(([key, id]) => (key.startsWith(`${storeId}/`) ? [id] : [])));
      return ids.filter((id) => led.has(id));
    },
    variantsOf: async (storeId, ids) =>
      liveProducts(state, storeId).flatMap(({ id: productId, variants }) =>
        ids.includes(productId) ? variants.flatMap(({ id, sku, isDeleted }) => (isDeleted ? [] : [{ productId, id, sku }])) : [],
      ),
    lock: async (storeId, ids) => {
      await lockProducts(locks, storeId, ids);
      return [...ids].sort().flatMap((id) => {
        const product = productsOf(state).get(`${storeId}/${id}`);
        return product ? [whole(state, product)] : [];
      });
    },
    tagOf: async (storeId, id) => {
      const product = productsOf(state).get(`${storeId}/${id}`);
      return product?.deletedAt === null ? versionOf(whole(state, product)) : null;
    },
    insert: (storeId, products) => save(storeId, [...products]),
    save,
    addMedia: async (product, media) => {
      const changed = { ...product, media: [...product.media, media], updatedAt: media.createdAt };
      productsOf(state).set(`${product.tenantId}/${product.id}`, changed);
    },
    remove: async (storeId, id, now) => {
      await lockProducts(locks, storeId, [id]);
      const product = productsOf(state).get(`${storeId}/${id}`);
      if (product?.deletedAt !== null) return false;
      productsOf(state).set(`${storeId}/${id}`, { ...product, slug: null, deletedAt: now, isDeleted: true });
      for (const [slug, holder] of history()) if (holder === id && slug.startsWith(`${storeId}/`)) history().delete(slug);
      for (const [key, collection] of collectionsOf(state)) {
        if (!key.startsWith(`${storeId}/`) || !collection.productIds.includes(id)) continue;
        collectionsOf(state).set(key, { ...collection, productIds: collection.productIds.filter((one) => one !== id) });
      }
      return true;
    },
  };
};
