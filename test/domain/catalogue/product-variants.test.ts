import { describe, expect, it } from 'vitest';

import type { Inventory, Product, ProductDocument, Variant, VariantDocument } from '../../../src/domain/catalogue/product.ts';
import { completed, imported, made, messageOf, STORE, uuid } from '../../support/completed-product.ts';

type GivenInventory = NonNullable<VariantDocument['inventory']>[number];

const withVariant = (variant: Partial<VariantDocument>): ProductDocument => ({
  name: 'Saw',
  variants: [{ sku: 'S', currency: 'EUR', ...variant }],
});
const variantOf = ({ variants }: Product): Variant => variants[0]!;

describe('a variant', () => {
  it.each([
    [{ price: 5, compareAtPrice: 5.01 }, true],
    [{ price: 5, compareAtPrice: 5 }, false],
    [{ price: 5, compareAtPrice: 4 }, false],
    [{ price: 5, compareAtPrice: null }, false],
    [{ compareAtPrice: 1 }, true],
    [{ price: 5, compareAtPrice: 4, isOnSale: true }, true],
    [{ price: 5, compareAtPrice: 6, isOnSale: false }, false],
  ])('with %j is on sale: %s', (prices, isOnSale) => {
    expect(variantOf(made(withVariant(prices))).isOnSale).toBe(isOnSale);
  });

  it.each([
    [{ lengthMm: 1 }, true],
    [{ widthMm: 1 }, true],
    [{ heightMm: 1 }, true],
    [{ lengthMm: 0 }, true],
    [{ lengthMm: null, widthMm: null, heightMm: null }, false],
    [{}, false],
    [{ hasDimensions: true }, true],
    [{ lengthMm: 1, hasDimensions: false }, false],
  ])('with %j has dimensions: %s', (sides, hasDimensions) => {
    expect(variantOf(made(withVariant(sides))).hasDimensions).toBe(hasDimensions);
  });

  it('whose dimensions were set apart from its sides keeps them in an import', () => {
    const apart = made(withVariant({ hasDimensions: true }));
    expect(variantOf(imported(withVariant({ price: 2 }), apart)).hasDimensions).toBe(true);
    const without = made(withVariant({ lengthMm: 2, hasDimensions: false }));
    expect(variantOf(imported(withVariant({ widthMm: 2 }), without)).hasDimensions).toBe(false);
  });

  it('gets dimensions from the sides that an import adds', () => {
    expect(variantOf(imported(withVariant({ widthMm: 2 }), made(withVariant({})))).hasDimensions).toBe(true);
  });
});

describe('an option value of a variant', () => {
  const [RED, RED_TOO, BLUE, INNER_RED] = [uuid('1'), uuid('2'), uuid('3'), uuid('4')];
  const options: ProductDocument['options'] = [
    {
      name: 'Color',
      values: [
        { value: 'red', id: RED },
        { value: 'red', id: RED_TOO },
        { value: 'blue', id: BLUE },
      ],
    },
    { name: 'Lining', values: [{ value: 'red', id: INNER_RED }] },
  ];
  type Given = NonNullable<VariantDocument['optionValues']>[number];
  const document = (value: Given): ProductDocument => ({ ...withVariant({ optionValues: [value] }), options });

  it.each<[string, Given, string]>([
    ['its id', { productOptionValueId: BLUE }, BLUE],
    ['its id, even with another text', { productOptionValueId: RED_TOO, option: 'Lining', value: 'red' }, RED_TOO],
    ['its text, of equal ones the first', { value: 'red' }, RED],
    ['its option and text', { option: 'Lining', value: 'red' }, INNER_RED],
    ['its option and text, of equal ones the first', { option: 'Color', value: 'red' }, RED],
  ])('is found by %s', (_, value, id) => {
    const { optionValues } = variantOf(made(document(value)));
    expect(optionValues.map(({ productOptionValueId }) => productOptionValueId)).toEqual([id]);
  });

  it.each<[string, Given]>([
    ['an id that the document does not have, even with a text that it has', { productOptionValueId: uuid('9'), value: 'red' }],
    ['a text that no option has', { value: 'green' }],
    ['a text of another option', { option: 'Lining', value: 'blue' }],
    ['an option that the document does not have', { option: 'Size', value: 'red' }],
    ['nothing', {}],
    ['an option without a text', { option: 'Color' }],
  ])('is refused when it names %s', (_, value) => {
    const variants = withVariant({ optionValues: [{ value: 'red' }, value] }).variants!;
    const fault = 'variants[1].optionValues[1].productOptionValueId names an option value that the document does not have.';
    expect(messageOf({ name: 'Saw', options, variants: [{ sku: 'R', currency: 'EUR' }, ...variants] })).toBe(fault);
  });
});

describe('the stock of a variant', () => {
  const withStock = (...inventory: GivenInventory[]): ProductDocument => withVariant({ inventory });
  const stockOf = (product: Product): Inventory[] => variantOf(product).inventory;

  it.each<[GivenInventory, [available: number, onHand: number, reserved: number]]>([
    [{}, [0, 0, 0]],
    [{ available: 3 }, [3, 3, 0]],
    [{ onHand: 3 }, [3, 3, 0]],
    [{ reserved: 2 }, [0, 2, 2]],
    [{ available: 3, reserved: 2 }, [3, 5, 2]],
    [{ onHand: 3, reserved: 2 }, [1, 3, 2]],
    [{ available: 1, onHand: 9 }, [1, 9, 0]],
    [{ available: 1, onHand: 9, reserved: 4 }, [1, 9, 4]],
  ])('of %j has the figures %j', (given, figures) => {
    const [stock] = stockOf(made(withStock(given)));
    expect([stock?.available, stock?.onHand, stock?.reserved]).toEqual(figures);
  });

  it.each<[GivenInventory, [available: number, onHand: number, reserved: number]]>([
    [{ available: 3, reserved: 4 }, [3, 7, 4]],
    [{ onHand: 9, reserved: 4 }, [5, 9, 4]],
    [{ onHand: 9 }, [7, 9, 2]],
    [{ available: 9 }, [9, 11, 2]],
    [{ reserved: 3 }, [3, 6, 3]],
    [{ available: 1, onHand: 9 }, [1, 9, 2]],
    [{}, [4, 6, 2]],
  ])('of 4 available and 2 reserved has, after an import of %j, the figures %j', (given, figures) => {
    const [stock] = stockOf(imported(withStock(given), made(withStock({ available: 4, reserved: 2 }))));
    expect([stock?.available, stock?.onHand, stock?.reserved]).toEqual(figures);
  });

  it('keeps figures that do not add up where an import gives none of them', () => {
    const current = made(withStock({ available: 1, onHand: 9, reserved: 2 }));
    expect(stockOf(imported(withStock({}), current))).toEqual(stockOf(current));
  });

  it("is in the store's warehouse by default, and is matched by its warehouse", () => {
    const current = made(withStock({ available: 1, warehouseId: uuid('1') }, { available: 2 }));
    const [other, own] = stockOf(current);
    expect(own?.warehouseId).toBe(STORE);
    expect(stockOf(made(withStock({ available: 5 }, { warehouseId: uuid('1') }), current))).toMatchObject([
      { id: own?.id, available: 5 },
      { id: other?.id, available: 0 },
    ]);
  });

  it.each([
    ['no warehouse is that of the only one', [{ available: 5 }], [{ warehouseId: uuid('1'), available: 5 }]],
    ['its id is where it was', [{ id: uuid('5'), available: 6 }], [{ id: uuid('5'), warehouseId: uuid('1'), available: 6 }]],
    [
      "another beside it is the store's",
      [{ available: 5 }, { warehouseId: uuid('1') }],
      [{ warehouseId: STORE, available: 5 }, { warehouseId: uuid('1') }],
    ],
  ])('that names %s', (_, given, stored) => {
    const current = made(withStock({ id: uuid('5'), available: 1, warehouseId: uuid('1') }));
    for (const complete of [made, imported]) expect(stockOf(complete(withStock(...given), current))).toMatchObject(stored);
  });

  it('that names no warehouse is refused where several have stock', () => {
    const current = made(withStock({ warehouseId: uuid('1') }, { warehouseId: uuid('2') }));
    const message = `variants[0]: The variant has stock in 2 warehouses: ${uuid('1')}, ${uuid('2')}. Name one in warehouseId.`;
    for (const keepsStored of [true, false])
      expect(completed(withStock({ available: 5 }), current, keepsStored)).toMatchObject({ message });
    expect(stockOf(imported(withStock({ available: 5 }, { warehouseId: uuid('1') }), current))).toMatchObject([
      { warehouseId: uuid('2'), available: 5 },
      { warehouseId: uuid('1') },
    ]);
  });

  it.each<[string, GivenInventory, boolean]>([
    ['stays while its figures do', { available: 4, onHand: 6, reserved: 2 }, true],
    ['changes with the available stock', { available: 5, onHand: 6, reserved: 2 }, false],
    ['changes with the stock on hand', { available: 4, onHand: 7, reserved: 2 }, false],
    ['changes with the reserved stock', { available: 4, onHand: 6, reserved: 3 }, false],
    ['changes with the warehouse', { available: 4, onHand: 6, reserved: 2, warehouseId: uuid('1') }, false],
  ])('has a concurrency stamp that %s', (_, given, stays) => {
    const current = made(withStock({ id: uuid('5'), available: 4, reserved: 2 }));
    const before = stockOf(current)[0]!.concurrencyStamp;
    for (const again of [made, imported]) {
      const after = stockOf(again(withStock({ id: uuid('5'), ...given }), current))[0]!.concurrencyStamp;
      expect(after === before).toBe(stays);
      expect(after).not.toBe('');
    }
  });

  it('has the concurrency stamp that is given', () => {
    const current = made(withStock({ available: 4, concurrencyStamp: 'mine' }));
    expect(stockOf(current)).toMatchObject([{ concurrencyStamp: 'mine' }]);
    expect(stockOf(made(withStock({ available: 4, concurrencyStamp: 'other' }), current))).toMatchObject([
      { concurrencyStamp: 'other' },
    ]);
  });
});
