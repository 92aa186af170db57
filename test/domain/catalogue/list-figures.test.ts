import { describe, expect, it } from 'vitest';

import { listFigures } from '../../../src/domain/catalogue/list-figures.ts';
import type { Product } from '../../../src/domain/catalogue/product.ts';

type Figured = Parameters<typeof listFigures>[0];
const product = (variants: object[], media: object[] = []): Figured => ({ variants, media }) as unknown as Product;
const variant = (price: number, more: object = {}) => ({ price, currency: 'EUR', isDeleted: false, inventory: [], ...more });
const stock = (available: number, isDeleted = false) => ({ available, isDeleted });

describe('the figures of the product list', () => {
  it('have the least and the greatest price, the stock and the number of live variants', () => {
    const variants = [
      variant(3, { inventory: [stock(2), stock(5), stock(100, true)] }),
      variant(1, { currency: 'USD', inventory: [stock(-1)] }),
      variant(2),
      variant(0, { isDeleted: true, inventory: [stock(1_000)] }),
      variant(9, { isDeleted: true }),
    ];
    expect(listFigures(product(variants))).toMatchObject({
      currency: 'EUR',
      minPrice: 1,
      maxPrice: 3,
      totalInventory: 6,
      variantCount: 3,
    });
  });
  it('are null or 0 without a live variant or media', () => {
    const none = { currency: null, minPrice: null, maxPrice: null, totalInventory: 0, variantCount: 0 };
    const deleted = product([variant(1, { isDeleted: true })], [{ url: 'a', altText: 'A', position: 0, isDeleted: true }]);
    expect(listFigures(deleted)).toEqual({ ...none, thumbnailUrl: null, thumbnailAlt: null });
  });
  it('have the first live media by position as thumbnail, and of one position the first', () => {
    const media = [
      { url: 'deleted', altText: null, position: 0, isDeleted: true },
      { url: 'last', altText: null, position: 3, isDeleted: false },
      { url: 'first', altText: 'First', position: 1, isDeleted: false },
      { url: 'second', altText: null, position: 1, isDeleted: false },
    ];
    expect(listFigures(product([], media))).toMatchObject({ thumbnailUrl: 'first', thumbnailAlt: 'First' });
  });
});
