import type { NewEvent } from '../webhooks/event.ts';
import { same } from './element.ts';
import { changedFields } from './product-document.ts';
import type { Product, Variant } from './product.ts';

const pick = (product: Product, fields: readonly (keyof Product)[]): Record<string, unknown> =>
  Object.fromEntries(fields.map((field) => [field, product[field]]));

const available = (variant: Variant | undefined): number =>
  (variant?.inventory ?? []).filter(({ isDeleted }) => !isDeleted).reduce((total, stock) => total + stock.available, 0);

/** The stock of the variants whose inventory differs. */
const stockChanges = (before: Product, after: Product) => {
  const [was, is] = [before, after].map(({ variants }) => new Map(variants.map((variant) => [variant.id, variant])));
  const ids = [...new Set([...before.variants, ...after.variants].map(({ id }) => id))];
  return ids.flatMap((productVariantId) => {
    const [old, now] = [was?.get(productVariantId), is?.get(productVariantId)];
    if (same(old?.inventory ?? [], now?.inventory ?? [])) return [];
    return [{ productVariantId, sku: (now ?? old)?.sku, previous: available(old), current: available(now) }];
  });
};

/** What the merchant's write of a product tells the apps: one event for the product and one for its stock, none for a no-op. */
export const productEvents = (before: Product | null, after: Product): NewEvent[] => {
  const event = (type: NewEvent['type'], data: NewEvent['data']): NewEvent => ({
    storeId: after.tenantId,
    type,
    resourceId: after.id,
    origin: null,
    data: { id: after.id, ...data, origin: null },
  });
  if (!before || before.isDeleted) return [event('product.created', { product: after })];
  const fields = changedFields(before, after);
  if (fields.length === 0) return [];
  const variants = stockChanges(before, after);
  return [
    event('product.updated', { changedFields: fields, previous: pick(before, fields), current: pick(after, fields) }),
    ...(variants.length > 0 ? [event('inventory.updated', { variants })] : []),
  ];
};
