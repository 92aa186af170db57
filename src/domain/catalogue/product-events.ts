import { isEqual } from '../values/equal.ts';
import { pick } from '../values/pick.ts';
import type { NewEvent } from '../webhooks/event.ts';
import type { Product, Variant } from './product.ts';

const DERIVED: readonly (keyof Product)[] = ['category', 'taxClass', 'updatedAt'];

/**
 * The names of the fields that differ between two states of a product, without those that follow
 * from others.
 */
export const changedFields = (before: Product, after: Product): (keyof Product)[] =>
  (Object.keys(after) as (keyof Product)[]).filter((field) => !DERIVED.includes(field) && !isEqual(before[field], after[field]));

const available = (variant: Variant | undefined): number =>
  (variant?.inventory ?? []).filter(({ isDeleted }) => !isDeleted).reduce((total, stock) => total + stock.available, 0);

const variantsById = ({ variants }: Product): Map<string, Variant> => new Map(variants.map((variant) => [variant.id, variant]));

/** The stock of each variant whose inventory differs. */
const stockChanges = (before: Product, after: Product) => {
  const [old, current] = [variantsById(before), variantsById(after)];
  return [...new Set([...old.keys(), ...current.keys()])].flatMap((productVariantId) => {
    const [was, is] = [old.get(productVariantId), current.get(productVariantId)];
    if (isEqual(was?.inventory ?? [], is?.inventory ?? [])) return [];
    return [{ productVariantId, sku: (is ?? was)?.sku, previous: available(was), current: available(is) }];
  });
};

/**
 * The events of the merchant's write: one for the product and one for its stock. A write that
 * changes nothing has no events.
 */
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
