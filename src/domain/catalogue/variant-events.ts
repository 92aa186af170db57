import { pick } from '../values/pick.ts';
import type { NewEvent } from '../webhooks/event.ts';
import { available, changedStock, hasNewPrice, type BulkVariant, type VariantWrite } from './bulk-variant.ts';

const byProduct = (writes: readonly VariantWrite[]): Map<string, VariantWrite[]> => {
  const products = new Map<string, VariantWrite[]>();
  for (const write of writes) {
    const { productId } = write.after;
    products.set(productId, [...(products.get(productId) ?? []), write]);
  }
  return products;
};

const PRICES = ['price', 'compareAtPrice', 'isOnSale'] as const satisfies readonly (keyof BulkVariant)[];

const named = ({ after }: VariantWrite) => ({ productVariantId: after.id, sku: after.sku });

/**
 * The events of a bulk update of variants: for each product one for the prices and one for the
 * stock that changed. `origin` is the installation that made the change; null for the merchant. A product's other variants
 * were not read, so the event has those that changed beside `previous` and `current`.
 */
export const variantEvents = (storeId: string, origin: string | null, writes: readonly VariantWrite[]): NewEvent[] =>
  [...byProduct(writes)].flatMap(([id, own]) => {
    const event = (type: NewEvent['type'], data: NewEvent['data']): NewEvent => ({
      storeId,
      type,
      resourceId: id,
      origin,
      data: { id, ...data, origin },
    });
    const priced = own.filter(hasNewPrice).map((write) => ({
      ...named(write),
      previous: pick(write.before, PRICES),
      current: pick(write.after, PRICES),
    }));
    const stocked = own
      .filter((write) => changedStock(write).length > 0)
      .map((write) => ({ ...named(write), previous: available(write.before), current: available(write.after) }));
    return [
      ...(priced.length > 0
        ? [event('product.updated', { changedFields: ['variants'], previous: {}, current: {}, variants: priced })]
        : []),
      ...(stocked.length > 0 ? [event('inventory.updated', { variants: stocked })] : []),
    ];
  });
