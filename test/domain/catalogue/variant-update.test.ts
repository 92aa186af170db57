import { describe, expect, it } from 'vitest';

import type { BulkStock, BulkVariant } from '../../../src/domain/catalogue/bulk-variant.ts';
import { PRICE_RULE } from '../../../src/domain/catalogue/price.ts';
import { checkStock, parseVariantChanges, type RawVariantChange } from '../../../src/domain/catalogue/variant-change.ts';
import { variantEvents } from '../../../src/domain/catalogue/variant-events.ts';
import { warehouseNames } from '../../../src/domain/catalogue/warehouse.ts';
import { variantUpdate } from '../../../src/domain/catalogue/variant-update.ts';
import type { Scope } from '../../../src/domain/identity/scope.ts';
import { refuse } from '../../../src/domain/result.ts';
import { STORE, uuid } from '../../support/completed-product.ts';

const STAMP = uuid('5a');
const OTHER = uuid('77');
const SCOPES: readonly Scope[] = ['write_products', 'write_inventory'];

const stock = (over: Partial<BulkStock> = {}): BulkStock => ({
  id: uuid('50'),
  warehouseId: STORE,
  available: 5,
  onHand: 7,
  reserved: 2,
  concurrencyStamp: STAMP,
  ...over,
});
const variant = (over: Partial<BulkVariant> = {}): BulkVariant => ({
  id: uuid('1'),
  productId: uuid('100'),
  sku: 'SAW',
  price: 10,
  compareAtPrice: null,
  isOnSale: false,
  totalInventory: 5,
  stock: [stock()],
  ...over,
});

const update = (raws: readonly RawVariantChange[], current: readonly BulkVariant[] = [variant()], scopes = SCOPES) => {
  let made = 0;
  const nextId = () => uuid(`e${String((made += 1))}`);
  return variantUpdate(parseVariantChanges(raws), { storeId: STORE, current, scopes, nextId });
};
const one = (change: Omit<RawVariantChange, 'id' | 'sku'>, current = variant(), scopes = SCOPES) => {
  const { response, writes } = update([{ id: current.id, ...change }], [current], scopes);
  return { result: response.results[0], after: writes[0]?.after };
};
const ofStock = (...changes: unknown[]) => one({ stock: changes });

describe('a variant', () => {
  it('is found by its id or by its SKU', () => {
    const { response } = update([{ id: uuid('1') }, { sku: 'PLANE' }], [variant(), variant({ id: uuid('2'), sku: 'PLANE' })]);
    expect(response).toMatchObject({ requested: 2, succeeded: 2, failed: 0 });
    expect(response.results.map(({ id, status }) => [id, status])).toEqual([
      [uuid('1'), 'Unchanged'],
      [uuid('2'), 'Unchanged'],
    ]);
  });
  const NOT_FOUND = 'No variant of this store has this id or SKU.';
  it.each<[string, RawVariantChange, string | null, string]>([
    ['variant_not_found', { id: uuid('9') }, uuid('9'), NOT_FOUND],
    ['variant_not_found', { sku: 'saw' }, null, NOT_FOUND],
    ['sku_ambiguous', { sku: 'SAW' }, null, 'More than one variant of this store has this SKU.'],
  ])('fails with %s: %j', (errorCode, raw, id, error) => {
    const { response, writes } = update([{ ...raw, price: 1 }], [variant(), variant({ id: uuid('2'), productId: uuid('200') })]);
    expect(response).toMatchObject({ succeeded: 0, failed: 1, results: [{ id, status: 'Failed', stock: [], error, errorCode }] });
    expect(writes).toEqual([]);
  });
  it('is changed once: again, also under its other name, it is duplicate_in_request', () => {
    const { response, writes } = update([
      { id: uuid('1'), price: 1 },
      { sku: 'SAW', price: 2 },
    ]);
    expect(response.results.map(({ errorCode }) => errorCode)).toEqual([null, 'duplicate_in_request']);
    expect(response.results[1]?.error).toBe('The variant appears more than once in this request.');
    expect(writes.map(({ after }) => after.price)).toEqual([1]);
  });
  it('is changed completely or not at all', () => {
    expect(one({ price: 1, stock: [{ adjust: 1 }, { adjust: -1, warehouseId: OTHER }] })).toMatchObject({
      result: { status: 'Failed', errorCode: 'would_be_negative', stock: [{ available: 5 }, { available: 0 }] },
      after: undefined,
    });
  });
});

describe('a price', () => {
  it.each([
    [{ price: 12.5 }, { price: 12.5, compareAtPrice: null, isOnSale: false }],
    [{ price: '12.50' }, { price: 12.5 }],
    [{ compareAtPrice: 12 }, { price: 10, compareAtPrice: 12, isOnSale: true }],
    [
      { price: 13, compareAtPrice: '12' },
      { price: 13, compareAtPrice: 12, isOnSale: false },
    ],
  ])('%j is written', (change, after) => {
    expect(one(change)).toMatchObject({ result: { status: 'Updated', error: null, errorCode: null }, after });
  });
  it('null clears a compare-at price, and the variant is not on sale any more', () => {
    const reduced = variant({ compareAtPrice: 12, isOnSale: true });
    expect(one({ compareAtPrice: null }, reduced).after).toMatchObject({ compareAtPrice: null, isOnSale: false });
  });
  it('leaves isOnSale as it is where that said something else before', () => {
    expect(one({ price: 9 }, variant({ isOnSale: true })).after).toMatchObject({ price: 9, isOnSale: true });
  });
  it('that is the same changes nothing', () => {
    expect(one({ price: 10, compareAtPrice: null })).toMatchObject({ result: { status: 'Unchanged' }, after: undefined });
  });
  it.each([
    ['field_not_nullable', 'price cannot be null.', { price: null }],
    ['invalid_value', `price ${PRICE_RULE}.`, { price: -1 }],
    ['invalid_value', `price ${PRICE_RULE}.`, { price: 1e12 }],
    ['invalid_value', `price ${PRICE_RULE}.`, { price: 'ten' }],
    ['invalid_value', `price ${PRICE_RULE}.`, { price: true }],
    ['invalid_value', `price ${PRICE_RULE}.`, { price: [12] }],
    ['invalid_value', `price ${PRICE_RULE}.`, { price: '12.34560000000000000001' }],
    ['invalid_value', `compareAtPrice ${PRICE_RULE}.`, { compareAtPrice: 0.00001 }],
  ])('%s, %s: %j', (errorCode, error, change) => {
    expect(one(change).result).toMatchObject({ status: 'Failed', errorCode, error, stock: [] });
  });
});

describe('stock', () => {
  it.each([
    ['set in any case', { set: 12, ifAvailable: null }, { available: 12, onHand: 14 }],
    ['set if the stock is this', { set: '0', ifAvailable: '5' }, { available: 0, onHand: 2 }],
    ['set if the stamp is this', { set: 12, ifStamp: STAMP.toUpperCase() }, { available: 12, onHand: 14 }],
    ['adjusted up', { adjust: 3 }, { available: 8, onHand: 10 }],
    ['adjusted to nothing', { adjust: '-5' }, { available: 0, onHand: 2 }],
    ['adjusted if both are this', { adjust: -1, ifAvailable: 5, ifStamp: STAMP }, { available: 4, onHand: 6 }],
  ])('is %s, with a new stamp', (_, change, figures) => {
    const shown = { warehouseId: STORE, ...figures, reserved: 2, concurrencyStamp: uuid('e1') };
    const { result, after } = ofStock(change);
    expect(result).toEqual({ id: uuid('1'), status: 'Updated', stock: [shown], error: null, errorCode: null });
    expect(after?.stock).toEqual([{ id: uuid('50'), ...shown }]);
  });
  it('that is the same changes nothing, and keeps its stamp', () => {
    const { result, after } = ofStock({ set: 5, ifAvailable: 5 });
    expect(result).toMatchObject({ status: 'Unchanged', stock: [{ available: 5, concurrencyStamp: STAMP }] });
    expect(after).toBeUndefined();
  });
  it('in a warehouse without any is 0, and is added', () => {
    const { result, after } = ofStock({ warehouseId: OTHER.toUpperCase(), set: 3, ifAvailable: 0 });
    const added = { warehouseId: OTHER, available: 3, onHand: 3, reserved: 0, concurrencyStamp: uuid('e2') };
    expect(result?.stock).toEqual([added]);
    expect(after?.stock).toEqual([stock(), { id: uuid('e1'), ...added }]);
    const { id: _, ...none } = stock({ warehouseId: OTHER, available: 0, onHand: 0, reserved: 0 });
    const stale = ofStock({ warehouseId: OTHER, set: 3, ifStamp: STAMP }).result;
    expect(stale).toMatchObject({ errorCode: 'stale', stock: [{ ...none, concurrencyStamp: null }] });
  });
  it.each([
    ['another stock', { set: 12, ifAvailable: 4 }],
    ['another stamp', { adjust: 1, ifStamp: OTHER }],
    ['one of two', { adjust: 1, ifAvailable: 5, ifStamp: OTHER }],
  ])('that is not the expected one is stale, with the present figures: %s', (_, change) => {
    const { id: __, ...present } = stock();
    expect(ofStock(change)).toMatchObject({
      result: {
        status: 'Failed',
        errorCode: 'stale',
        error: 'The stock is not the expected one. The result has the present stock.',
        stock: [present],
      },
      after: undefined,
    });
  });
  it('cannot become negative, but can rise while it is', () => {
    const error = 'The available stock would be negative.';
    expect(ofStock({ adjust: -6 }).result).toMatchObject({ errorCode: 'would_be_negative', error });
    const negative = variant({ stock: [stock({ available: -4, onHand: -2 })] });
    expect(one({ stock: [{ adjust: 3 }] }, negative).after?.stock).toMatchObject([{ available: -1, onHand: 1 }]);
    expect(one({ stock: [{ adjust: -1 }] }, negative).result).toMatchObject({ errorCode: 'would_be_negative' });
  });
  it.each([
    ['available', variant(), 2_147_483_647],
    ['on hand', variant({ stock: [stock({ available: 0, onHand: 2_147_483_647 })] }), 1],
    ['of the product', variant({ totalInventory: 2_147_483_647 }), 1],
  ])('must fit into 32 bits: %s', (_, current, adjust) => {
    expect(one({ stock: [{ adjust }] }, current).result).toMatchObject({ status: 'Failed', errorCode: 'invalid_value' });
  });
  it('of several variants of a product is added up for that', () => {
    const nearly = { totalInventory: 2_147_483_646 };
    const pair = [variant(nearly), variant({ ...nearly, id: uuid('2'), sku: 'TWO' })];
    const { response } = update(
      [
        { sku: 'SAW', stock: [{ adjust: 1 }] },
        { sku: 'TWO', stock: [{ adjust: 1 }] },
      ],
      pair,
    );
    expect(response.results.map(({ errorCode }) => errorCode)).toEqual([null, 'invalid_value']);
  });
  it('has a limit at both ends, and is also an integer as text', () => {
    expect(ofStock({ set: '2147483647', ifAvailable: '5' }).result).toMatchObject({
      status: 'Failed',
      errorCode: 'invalid_value',
    });
    const empty = variant({ totalInventory: 0, stock: [stock({ available: 0, onHand: 0, reserved: 0 })] });
    expect(one({ stock: [{ set: 2_147_483_647, ifAvailable: 0 }] }, empty).result).toMatchObject({ status: 'Updated' });
    const lowest = variant({ stock: [stock({ available: -2_147_483_648, onHand: -2_147_483_648 })] });
    expect(one({ stock: [{ adjust: 1, ifAvailable: -2_147_483_648 }] }, lowest).result).toMatchObject({ status: 'Updated' });
    expect(one({ stock: [{ adjust: -1 }] }, lowest).result).toMatchObject({ errorCode: 'would_be_negative' });
  });
  it.each<[string, unknown, string]>([
    ['no list', {}, 'stock must be an array of objects.'],
    ['null', null, 'stock must be an array of objects.'],
    ['an element that is not an object', [1], 'stock[0] must be an object.'],
    ['an element that is null', [{ adjust: 1 }, null], 'stock[1] must be an object.'],
    ['neither set nor adjust', [{ ifAvailable: 1 }], 'stock[0] must have either set or adjust.'],
    ['both', [{ set: 1, adjust: 1, ifAvailable: null }], 'stock[0] must have either set or adjust.'],
    ['set without a condition', [{ set: 1 }], 'stock[0] must have ifAvailable or ifStamp. Null sets the stock in any case.'],
    ['a negative stock', [{ set: -1, ifAvailable: null }], 'stock[0].set must be an integer of 0 to 2147483647.'],
    ['a fraction', [{ set: 1.5, ifAvailable: null }], 'stock[0].set must be an integer of 0 to 2147483647.'],
    ['a list of a number', [{ set: [1], ifAvailable: null }], 'stock[0].set must be an integer of 0 to 2147483647.'],
    ['too large', [{ adjust: 2_147_483_648 }], 'stock[0].adjust must be a 32-bit integer.'],
    ['too small', [{ adjust: -2_147_483_648 }], 'stock[0].adjust must be a 32-bit integer.'],
    ['a text', [{ adjust: 'one' }], 'stock[0].adjust must be a 32-bit integer.'],
    ['digits and more', [{ adjust: '1e2' }], 'stock[0].adjust must be a 32-bit integer.'],
    ['more and digits', [{ adjust: '0x12' }], 'stock[0].adjust must be a 32-bit integer.'],
    ['null to add', [{ adjust: null }], 'stock[0].adjust must be a 32-bit integer.'],
    [
      'a condition that is not a number',
      [{ set: 1, ifAvailable: 'x' }],
      'stock[0].ifAvailable must be a 32-bit integer or null.',
    ],
    ['a stamp that is not a UUID', [{ set: 1, ifStamp: 'x' }], 'stock[0].ifStamp must be a UUID or null.'],
    ['a warehouse that is not a UUID', [{ adjust: 1, warehouseId: null }], 'stock[0].warehouseId must be a UUID.'],
  ])('invalid_value: %s', (_, given, error) => {
    expect(one({ stock: given }).result).toMatchObject({ status: 'Failed', errorCode: 'invalid_value', error, stock: [] });
  });
});

describe('stock that names no warehouse', () => {
  const at = (...warehouseIds: string[]) =>
    variant({ stock: warehouseIds.map((warehouseId, n) => stock({ id: uuid(`6${String(n)}`), warehouseId, available: n })) });
  it.each([
    ['the only one that has stock', [OTHER], OTHER],
    ["the store's without any", [], STORE],
  ])('is that of %s', (_, warehouses, warehouseId) => {
    const { result, after } = one({ stock: [{ adjust: 3 }] }, at(...warehouses));
    expect([result, after]).toMatchObject([
      { status: 'Updated', stock: [{ warehouseId, available: 3 }] },
      { stock: [{ warehouseId, available: 3 }] },
    ]);
    expect(after?.stock).toHaveLength(1);
  });
  it.each([
    ['set', { set: 7, ifAvailable: 5 }],
    ['set in any case', { set: 7, ifAvailable: null }],
    ['a stamp', { set: 7, ifStamp: STAMP }],
    ['adjust', { adjust: 2 }],
  ])('is compared and changed there: %s', (_, change) => {
    const elsewhere = variant({ stock: [stock({ warehouseId: OTHER })] });
    expect(one({ stock: [change] }, elsewhere)).toMatchObject({
      result: { status: 'Updated', stock: [{ warehouseId: OTHER, available: 7, onHand: 9 }] },
      after: { stock: [{ id: uuid('50'), warehouseId: OTHER, available: 7 }] },
    });
  });
  it('is 0 in a warehouse that sold out, and none is added beside it', () => {
    const soldOut = variant({ stock: [stock({ warehouseId: OTHER, available: 0, onHand: 0, reserved: 0 })] });
    expect(one({ stock: [{ set: 0, ifAvailable: null }] }, soldOut).result).toMatchObject({
      status: 'Unchanged',
      stock: [{ warehouseId: OTHER }],
    });
  });
  it.each([
    [2, `${OTHER}, ${STORE}`],
    [4, `${OTHER}, ${STORE}, ${uuid('78')}, ${uuid('79')}`],
    [6, `${OTHER}, ${STORE}, ${uuid('78')}, ${uuid('79')} and 2 more`],
  ])('is warehouse_required where %i have stock', (count, list) => {
    const several = at(...[OTHER, STORE, uuid('78'), uuid('79'), uuid('7a'), uuid('7b')].slice(0, count));
    const error = `The variant has stock in ${String(count)} warehouses: ${list}. Name one in warehouseId.`;
    const { result, after } = one({ stock: [{ adjust: 1, warehouseId: OTHER }, { adjust: 1 }] }, several);
    expect(result).toMatchObject({
      status: 'Failed',
      errorCode: 'warehouse_required',
      error,
      stock: [{ warehouseId: OTHER, available: 0 }],
    });
    expect(after).toBeUndefined();
  });
  it('that is named beside it is invalid', () => {
    for (const [current, warehouseId] of [
      [variant(), STORE],
      [at(OTHER), OTHER],
      [at(), STORE],
    ] as const) {
      const { result } = one({ stock: [{ adjust: 1 }, { adjust: 1, warehouseId }] }, current);
      const error = `stock names the warehouse ${warehouseId} more than once.`;
      expect(result).toMatchObject({ status: 'Failed', errorCode: 'invalid_value', error });
    }
    expect(ofStock({ adjust: 1 }, { adjust: 1 }).result).toMatchObject({ errorCode: 'invalid_value' });
  });
  it('is shown where it was, also beside stock that the request adds', () => {
    const { result } = one({ stock: [{ adjust: 1, warehouseId: uuid('78') }, { adjust: 2 }] }, at(OTHER));
    expect(result).toMatchObject({
      status: 'Updated',
      stock: [
        { warehouseId: uuid('78'), available: 1 },
        { warehouseId: OTHER, available: 2 },
      ],
    });
  });
});

describe('scopes', () => {
  it.each<[string, Scope, Omit<RawVariantChange, 'id'>, string]>([
    ['a price without write_products', 'write_inventory', { price: 1 }, 'A price needs write_products.'],
    ['a compare-at price without write_products', 'write_inventory', { compareAtPrice: null }, 'A price needs write_products.'],
    ['stock without write_inventory', 'write_products', { price: 1, stock: [{ adjust: 1 }] }, 'Stock needs write_inventory.'],
  ])('scope_missing: %s', (_, scope, change, error) => {
    expect(one(change, variant(), [scope])).toMatchObject({ result: { errorCode: 'scope_missing', error }, after: undefined });
  });
  it('each is enough for its own', () => {
    expect(one({ price: 1 }, variant(), ['write_products']).after).toMatchObject({ price: 1 });
    expect(one({ stock: [{ adjust: 1 }] }, variant(), ['write_inventory']).after).toMatchObject({ stock: [{ available: 6 }] });
  });
});

describe('events', () => {
  const events = (...raws: RawVariantChange[]) => {
    const second = variant({
      id: uuid('2'),
      sku: 'TWO',
      stock: [stock({ id: uuid('51') }), stock({ id: uuid('52'), warehouseId: OTHER })],
    });
    const far = variant({ id: uuid('3'), productId: uuid('200'), sku: 'FAR', stock: [] });
    const nameOf = warehouseNames([{ id: OTHER, name: 'Other', code: null, country: null }]);
    return variantEvents({ storeId: STORE, origin: 'app', nameOf }, update(raws, [variant(), second, far]).writes);
  };
  it('a product has one for its prices and one for its stock, with the variants that changed', () => {
    const prices = (price: number) => ({ price, compareAtPrice: null, isOnSale: false });
    const figures = (available: number) => ({ available, onHand: available + 2, reserved: 2 });
    const oneMore = { previous: figures(5), current: figures(6) };
    expect(
      events(
        { sku: 'SAW', price: 11, stock: [{ adjust: 1, reason: ' Found ', reference: 'count-7' }] },
        { sku: 'TWO', stock: [{ adjust: 1, warehouseId: OTHER }] },
        { sku: 'FAR', price: 12 },
      ),
    ).toEqual([
      {
        storeId: STORE,
        type: 'product.updated',
        resourceId: uuid('100'),
        origin: 'app',
        data: {
          id: uuid('100'),
          changedFields: ['variants'],
          previous: {},
          current: {},
          variants: [{ productVariantId: uuid('1'), sku: 'SAW', previous: prices(10), current: prices(11) }],
          origin: 'app',
        },
      },
      {
        storeId: STORE,
        type: 'inventory.updated',
        resourceId: uuid('100'),
        origin: 'app',
        data: {
          id: uuid('100'),
          variants: [
            { productVariantId: uuid('1'), sku: 'SAW', previous: 5, current: 6 },
            { productVariantId: uuid('2'), sku: 'TWO', previous: 10, current: 11 },
          ],
          warehouses: [
            { productVariantId: uuid('1'), warehouseId: STORE, name: STORE, ...oneMore, reason: 'Found', reference: 'count-7' },
            { productVariantId: uuid('2'), warehouseId: OTHER, name: 'Other', ...oneMore, reason: null, reference: null },
          ],
          origin: 'app',
        },
      },
      expect.objectContaining({ type: 'product.updated', resourceId: uuid('200') }),
    ]);
  });
  it('what changes nothing causes no event', () => {
    expect(events({ sku: 'SAW', price: 10, stock: [{ adjust: 0 }] })).toEqual([]);
  });
});

describe('the reason and the reference of a change of stock', () => {
  const stockOf = (change: object) => update([{ sku: 'SAW', stock: [change] }], [variant()]).response.results[0];
  it('are in the result where the variant did not fail, without white space at their ends', () => {
    expect(stockOf({ adjust: 1, reason: ' Found ', reference: 'count-7' })?.stock).toMatchObject([
      { available: 6, reason: 'Found', reference: 'count-7' },
    ]);
    expect(stockOf({ adjust: 0, reference: 'count-7' })).toMatchObject({
      status: 'Unchanged',
      stock: [{ reference: 'count-7' }],
    });
    expect(stockOf({ adjust: 1, reason: ' ', reference: null })?.stock[0]).not.toHaveProperty('reason');
    expect(stockOf({ adjust: -9, reason: 'Lost' })).toMatchObject({ status: 'Failed' });
    expect(stockOf({ adjust: -9, reason: 'Lost' })?.stock[0]).not.toHaveProperty('reason');
  });
  it.each([
    [{ reason: 'x'.repeat(128) }, null],
    [{ reason: 'x'.repeat(129) }, 'stock[0].reason must have at most 128 characters.'],
    [{ reference: 'x'.repeat(129) }, 'stock[0].reference must have at most 128 characters.'],
    [{ reason: 7 }, 'stock[0].reason must be a string or null.'],
    [{ reference: [] }, 'stock[0].reference must be a string or null.'],
  ])('are short texts: %o', (words, error) => {
    expect(stockOf({ adjust: 1, ...words })?.error).toBe(error);
  });
  it('have a limit for all variants together', () => {
    const withNotes = (count: number) => [
      { sku: 'SAW', stock: Array.from({ length: count }, () => ({ adjust: 1, reason: 'x'.repeat(128) })) },
    ];
    // Each is 128 characters, two quotes and a comma.
    expect(checkStock(withNotes(187))).toBeNull();
    expect(checkStock(withNotes(188))).toEqual(
      refuse('invalid', 'reason and reference must have at most 24576 bytes in all variants together.'),
    );
  });
});

it('all variants of a request together change at most 1,000 stocks', () => {
  const of = (count: number) => [
    { id: uuid('1'), stock: Array.from({ length: count }, () => ({})) },
    { id: uuid('2'), stock: [{}] },
  ];
  expect(checkStock(of(999))).toBeNull();
  expect(checkStock(of(1_000))).toEqual(refuse('invalid', 'stock must have at most 1000 elements in all variants together.'));
});
