/* eslint-disable complexity -- defaults, one for each field: the `??` are a list and do not branch */
import { listFigures } from '../../../src/domain/catalogue/list-figures.ts';
import { formatPlace } from '../../../src/domain/catalogue/product-place.ts';
import type { ProductFilter, ProductReader } from '../../../src/domain/ports/catalogue/product-reader.ts';
import type { Product } from '../../../src/domain/catalogue/product.ts';
import { jsonDocument } from './json-document.ts';
import { liveProducts, productsOf, whole } from './catalogue-tables.ts';
import type { MemoryState } from '../state.ts';

const itemOf = (product: Product) => ({
  id: product.id,
  name: product.name,
  slug: product.slug,
  status: product.status,
  kind: product.kind,
  categoryId: product.categoryId,
  categoryName: product.category?.name ?? null,
  tags: product.tags,
  ...listFigures(product),
  updatedAt: product.updatedAt ?? product.createdAt,
});

const only = (item: ReturnType<typeof itemOf>, fields: readonly string[] | undefined): object =>
  fields ? Object.fromEntries(Object.entries(item).filter(([name]) => fields.includes(name))) : item;

const matches = (product: Product, { ids, status, kind, categoryId, tag, updatedSince, q }: ProductFilter): boolean => {
  const contains = (text: string): boolean => text.toLowerCase().includes((q ?? '').toLowerCase());
  return (
    (ids === undefined || ids.includes(product.id)) &&
    product.status === (status ?? product.status) &&
    product.kind === (kind ?? product.kind) &&
    product.categoryId === (categoryId ?? product.categoryId) &&
    (tag === undefined || product.tags.includes(tag)) &&
    (updatedSince === undefined || Date.parse(product.updatedAt ?? product.createdAt) >= Date.parse(updatedSince)) &&
    (q === undefined || contains(product.name) || product.variants.some((variant) => !variant.isDeleted && contains(variant.sku)))
  );
};

const byCreation = (a: Product, b: Product): number =>
  a.createdAt === b.createdAt
    ? Number(a.id > b.id) - Number(a.id < b.id)
    : Number(a.createdAt > b.createdAt) - Number(a.createdAt < b.createdAt);

/** `isSlow`: whether every search takes longer than it may. */
export const productReader = (state: MemoryState, { isSlow = false } = {}): ProductReader => ({
  list: async (storeId, { skip, take, after, fields }, filter, reading) => {
    if (isSlow && filter.q !== undefined) return null;
    const found = liveProducts(state, storeId)
      .filter((product) => matches(product, filter))
      .sort(byCreation);
    const behind = found.filter((product) => after == null || byCreation(product, { ...product, ...after }) > 0);
    const page = behind.slice(skip, skip + take);
    const items = page.map((product) => only(itemOf(whole(state, product)), fields));
    const last = behind.length > skip + take ? page.at(-1) : undefined;
    const next = after === undefined ? {} : { next: last ? formatPlace(last) : null };
    return jsonDocument({ items, skip, take, total: found.length, ...next }, reading);
  },
  detail: async (storeId, id, reading) => {
    const product = productsOf(state).get(`${storeId}/${id}`);
    return product?.deletedAt === null ? jsonDocument(whole(state, product), reading) : null;
  },
  documents: async (storeId, ids, maxBytes) => {
    let bytes = 0;
    const found = [...new Set(ids)].sort().flatMap((id) => productsOf(state).get(`${storeId}/${id}`) ?? []);
    return new Map(
      found.flatMap((product) => {
        if (product.deletedAt !== null) return [];
        const text = JSON.stringify(whole(state, product));
        bytes += Buffer.byteLength(text);
        return [[product.id, bytes <= maxBytes ? text : null] as const];
      }),
    );
  },
});
