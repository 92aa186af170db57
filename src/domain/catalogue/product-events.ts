import { isEqual } from '../values/equal.ts';
import { pick } from '../values/pick.ts';
import type { NewEvent } from '../webhooks/event.ts';
import type { Product, Variant } from './product.ts';
import { figuresOfVariant, priceChanges, stockChange, type VariantPair } from './variant-events.ts';
import type { WarehouseNames } from './warehouse.ts';

const DERIVED: readonly (keyof Product)[] = ['category', 'taxClass', 'updatedAt'];

/**
 * The names of the fields that differ between two states of a product, without those that follow
 * from others.
 */
export const changedFields = (before: Product, after: Product): (keyof Product)[] =>
  (Object.keys(after) as (keyof Product)[]).filter((field) => !DERIVED.includes(field) && !isEqual(before[field], after[field]));

const variantsById = ({ variants }: Product): Map<string, Variant> => new Map(variants.map((variant) => [variant.id, variant]));

const pairsOf = (before: Product, after: Product): VariantPair[] => {
  const [old, current] = [variantsById(before), variantsById(after)];
  return [...new Set([...old.keys(), ...current.keys()])].map((id) => {
    const [was, is] = [old.get(id), current.get(id)];
    return { before: was && figuresOfVariant(was), after: is && figuresOfVariant(is) };
  });
};

/** A variant without the figures that have their own place in an event. */
const withoutFigures = (variant: Variant) => ({
  ...variant,
  price: 0,
  compareAtPrice: null,
  isOnSale: false,
  updatedAt: null,
  inventory: [],
});

const isOtherwiseEqual = (before: Product, after: Product): boolean =>
  isEqual(before.variants.map(withoutFigures), after.variants.map(withoutFigures));

/**
 * The events of the merchant's write: one for the product and one for its stock. A write that
 * changes nothing has no events. New prices and stock of variants that stay as they are have the shape of a bulk update
 * (variantEvents), so a filter meets them by every way of writing.
 */
export const productEvents = (before: Product | null, after: Product, nameOf: WarehouseNames): NewEvent[] => {
  const event = (type: NewEvent['type'], data: NewEvent['data']): NewEvent => ({
    storeId: after.tenantId,
    type,
    resourceId: after.id,
    origin: null,
    data: { id: after.id, ...data, origin: null },
  });
  if (!before || before.isDeleted) return [event('product.created', { product: after })];
  const differing = changedFields(before, after);
  if (differing.length === 0) return [];
  const pairs = pairsOf(before, after);
  const variants = priceChanges(pairs);
  const stock = stockChange(pairs, nameOf);
  const hasFigures = variants.length > 0 || stock !== null;
  const isOfFigures = hasFigures && isOtherwiseEqual(before, after);
  const whole = differing.filter((field) => field !== 'variants' || !isOfFigures);
  const fields = variants.length > 0 ? differing : whole;
  const prices = variants.length > 0 && { variants };
  return [
    ...(fields.length > 0
      ? [
          event('product.updated', {
            changedFields: fields,
            previous: pick(before, whole),
            current: pick(after, whole),
            ...prices,
          }),
        ]
      : []),
    ...(stock === null ? [] : [event('inventory.updated', stock)]),
  ];
};
