import { describe, expect, it } from 'vitest';

import { productEvents } from '../../../src/domain/catalogue/product-events.ts';
import type { Product } from '../../../src/domain/catalogue/product.ts';
import { warehouseNames } from '../../../src/domain/catalogue/warehouse.ts';

const stock = (available: number, isDeleted = false, warehouseId = 'north') => ({
  ...{ warehouseId, available, onHand: available, reserved: 0, isDeleted },
});
const figures = (available: number) => ({ available, onHand: available, reserved: 0 });
const aProduct = (more: object = {}): Product =>
  ({ id: 'p', tenantId: 'store', isDeleted: false, name: 'Saw', variants: [], ...more }) as unknown as Product;
const aVariant = (id: string, inventory: object[], sku = id.toUpperCase()) => ({ id, sku, inventory });
const said = { reason: null, reference: null };
const nameOf = warehouseNames([{ id: 'north', name: 'North', code: null, country: null }]);
const eventsOf = (before: Product | null, after: Product) => productEvents(before, after, nameOf);
const common = { storeId: 'store', resourceId: 'p', origin: null };

describe('the events of a write by the merchant', () => {
  it('a new product, or one that was deleted, is created', () => {
    const after = aProduct();
    const created = [{ ...common, type: 'product.created', data: { id: 'p', product: after, origin: null } }];
    expect(eventsOf(null, after)).toEqual(created);
    expect(eventsOf(aProduct({ isDeleted: true }), after)).toEqual(created);
  });
  it('a write that changes nothing has no event', () => {
    expect(eventsOf(aProduct(), aProduct())).toEqual([]);
  });
  it('a change has the changed fields with their values before and after', () => {
    expect(eventsOf(aProduct(), aProduct({ name: 'Plane' }))).toEqual([
      {
        ...common,
        type: 'product.updated',
        data: { id: 'p', changedFields: ['name'], previous: { name: 'Saw' }, current: { name: 'Plane' }, origin: null },
      },
    ]);
  });
  it('a change of stock has one event more, with each variant whose stock differs', () => {
    const before = aProduct({
      variants: [
        aVariant('a', [stock(1), stock(2, false, 'south'), stock(50, true, 'west')]),
        aVariant('b', [stock(7)]),
        aVariant('c', [stock(9)]),
      ],
    });
    const after = aProduct({
      variants: [aVariant('a', [stock(4)]), aVariant('b', [stock(7)], 'NEW'), aVariant('d', [stock(3)])],
    });
    const [updated, inventory, ...more] = eventsOf(before, after);
    expect([updated?.type, more]).toEqual(['product.updated', []]);
    expect(inventory).toEqual({
      ...common,
      type: 'inventory.updated',
      data: {
        id: 'p',
        variants: [
          { productVariantId: 'a', sku: 'A', previous: 3, current: 4 },
          { productVariantId: 'c', sku: 'C', previous: 9, current: 0 },
          { productVariantId: 'd', sku: 'D', previous: 0, current: 3 },
        ],
        warehouses: [
          { ...said, productVariantId: 'a', warehouseId: 'north', name: 'North', previous: figures(1), current: figures(4) },
          { ...said, productVariantId: 'a', warehouseId: 'south', name: 'south', previous: figures(2), current: figures(0) },
          { ...said, productVariantId: 'c', warehouseId: 'north', name: 'North', previous: figures(9), current: figures(0) },
          { ...said, productVariantId: 'd', warehouseId: 'north', name: 'North', previous: figures(0), current: figures(3) },
        ],
        origin: null,
      },
    });
  });
  it('a variant that is added or removed without stock does not change the stock', () => {
    const before = aProduct({ variants: [aVariant('a', []), aVariant('b', [stock(1)])] });
    const after = aProduct({ variants: [aVariant('b', [stock(1)]), aVariant('c', [])] });
    expect(eventsOf(before, after).map(({ type }) => type)).toEqual(['product.updated']);
  });
  it('the stock of a variant has the SKU that the variant has now', () => {
    const before = aProduct({ variants: [aVariant('a', [stock(1)])] });
    const after = aProduct({ variants: [aVariant('a', [stock(2)], 'NEW')] });
    expect(eventsOf(before, after)[1]?.data).toMatchObject({
      variants: [{ productVariantId: 'a', sku: 'NEW', previous: 1, current: 2 }],
    });
  });
});
