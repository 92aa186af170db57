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

const prices = ({ price, compareAtPrice, isOnSale }: BulkVariant) => ({ price, compareAtPrice, isOnSale });

const changeOf = <T>({ before, after }: VariantWrite, shown: (variant: BulkVariant) => T) => ({
  productVariantId: after.id,
  sku: after.sku,
  previous: shown(before),
  current: shown(after),
});

/**
 * The events of a bulk update of variants: for each product one for the prices and one for the
 * stock that changed. `origin` is the installation that made the change; null for the merchant. A product's other variants
 * were not read, so the event has those that changed beside `previous` and `current`.
 */
export const variantEvents = (storeId: string, origin: string | null, writes: readonly VariantWrite[]): NewEvent[] =>
  [...byProduct(writes)].flatMap(([id, own]) => {
    const event = (type: NewEvent['type'], data: NewEvent['data']): NewEvent => ({ storeId, type, resourceId: id, origin, data });
    const priced = own.filter(hasNewPrice).map((write) => changeOf(write, prices));
    const stocked = own.filter((write) => changedStock(write).length > 0).map((write) => changeOf(write, available));
    return [
      ...(priced.length > 0
        ? [event('product.updated', { id, changedFields: ['variants'], previous: {}, current: {}, variants: priced, origin })]
        : []),
      ...(stocked.length > 0 ? [event('inventory.updated', { id, variants: stocked, origin })] : []),
    ];
  });
