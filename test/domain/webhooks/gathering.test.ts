import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { checkGathering, countGathered, gatherBody, MAX_GATHERED } from '../../../src/domain/webhooks/gathering.ts';

type Data = Record<string, unknown>;

const bodyOf = (id: string, data: Data, type = 'product.updated'): string =>
  JSON.stringify({ id, type, timestamp: `2026-01-01T00:00:0${id}.000Z`, storeId: 's', data: { id: 'r', origin: null, ...data } });

const dataOf = (body: string): Data => (JSON.parse(body) as { data: Data }).data;
const gatherAll = (bodies: readonly string[], self: string | null = 'me'): string =>
  bodies.reduce((before, body) => gatherBody(before, body, self));

const change = (id: string, field: string, previous: unknown, current: unknown, origin: string | null = null): string =>
  bodyOf(id, { changedFields: [field], previous: { [field]: previous }, current: { [field]: current }, origin });

describe('gatherBody', () => {
  it('says what was before the first change and what is after the last', () => {
    const body = gatherAll([change('1', 'name', 'a', 'b'), change('2', 'slug', 'x', 'y'), change('3', 'name', 'b', 'c')]);
    expect(JSON.parse(body)).toEqual({
      id: '3',
      type: 'product.updated',
      timestamp: '2026-01-01T00:00:03.000Z',
      storeId: 's',
      data: {
        id: 'r',
        origin: null,
        changedFields: ['name', 'slug'],
        previous: { name: 'a', slug: 'x' },
        current: { name: 'c', slug: 'y' },
        gathered: 3,
        events: ['1', '2', '3'],
      },
    });
  });

  it('agrees with the first and the last state of every field, after any changes in between', () => {
    const fields = ['name', 'slug', 'status'];
    const changes = fc.array(fc.uniqueArray(fc.constantFrom(...fields), { minLength: 1 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(changes, (steps) => {
        const states = [{ name: 0, slug: 0, status: 0 } as Record<string, number>];
        const bodies = steps.map((changed, at) => {
          const before = states.at(-1) ?? {};
          const after = { ...before, ...Object.fromEntries(changed.map((field) => [field, at + 1])) };
          states.push(after);
          const of = (state: Record<string, number>) => Object.fromEntries(changed.map((field) => [field, state[field]]));
          return bodyOf(String(at + 1), { changedFields: changed, previous: of(before), current: of(after) });
        });
        const data = dataOf(gatherAll(bodies));
        const all = [...new Set(steps.flat())];
        expect(new Set(data['changedFields'] as string[])).toEqual(new Set(all));
        expect(data['previous']).toEqual(Object.fromEntries(all.map((field) => [field, states[0]?.[field]])));
        expect(data['current']).toEqual(Object.fromEntries(all.map((field) => [field, states.at(-1)?.[field]])));
        if (steps.length > 1)
          expect(data).toMatchObject({ gathered: steps.length, events: steps.map((_, at) => String(at + 1)) });
      }),
    );
  });

  it('has each variant once, with its earliest and its latest figures', () => {
    const stock = (id: string, variants: readonly (readonly [string, number, number])[]) =>
      bodyOf(
        id,
        { variants: variants.map(([productVariantId, previous, current]) => ({ productVariantId, sku: id, previous, current })) },
        'inventory.updated',
      );
    const body = gatherAll([stock('1', [['a', 1, 2]]), stock('2', [['b', 5, 4]]), stock('3', [['a', 2, 9]])]);
    expect(dataOf(body)['variants']).toEqual([
      { productVariantId: 'a', sku: '3', previous: 1, current: 9 },
      { productVariantId: 'b', sku: '2', previous: 5, current: 4 },
    ]);
  });

  it('keeps new prices beside other changes', () => {
    const prices = bodyOf('2', {
      changedFields: ['variants'],
      previous: {},
      current: {},
      variants: [{ productVariantId: 'a', sku: 'a', previous: { price: 1 }, current: { price: 2 } }],
    });
    const data = dataOf(gatherAll([prices, change('3', 'name', 'a', 'b')]));
    expect(data).toMatchObject({
      changedFields: ['variants', 'name'],
      current: { name: 'b' },
      variants: [{ current: { price: 2 } }],
    });
  });

  describe('new prices and lists of variants agree in any order', () => {
    const variant = (price: number) => ({ id: 'a', sku: 'a', price });
    const priced = (previous: number, current: number) => [
      { productVariantId: 'a', sku: 'a', previous: { price: previous }, current: { price: current } },
    ];
    const prices = (id: string, previous: number, current: number) =>
      bodyOf(id, { changedFields: ['variants'], previous: {}, current: {}, variants: priced(previous, current) });
    const whole = (id: string, previous: number, current: number) =>
      bodyOf(id, {
        changedFields: ['variants'],
        previous: { variants: [variant(previous)] },
        current: { variants: [variant(current)] },
        ...(previous !== current && { variants: priced(previous, current) }),
      });
    const name = change('9', 'name', 'a', 'b');

    it.each([
      ['the prices first', [prices('1', 1, 2), whole('2', 2, 3)]],
      ['the variants first', [whole('1', 1, 2), prices('2', 2, 3)]],
      ['the variants with their prices as they were', [prices('1', 1, 3), whole('2', 3, 3)]],
      ['another change between', [whole('1', 1, 2), name, prices('2', 2, 3)]],
      ['the prices twice', [prices('1', 1, 2), whole('2', 2, 2), prices('3', 2, 3)]],
    ])('%s', (_, bodies) => {
      expect(dataOf(gatherAll(bodies))).toMatchObject({
        previous: { variants: [variant(1)] },
        current: { variants: [variant(3)] },
        variants: priced(1, 3),
      });
    });
  });

  it('has each warehouse of a variant once, with its earliest and its latest figures', () => {
    const moved = (id: string, warehouseId: string, previous: number, current: number) =>
      bodyOf(id, { variants: [], warehouses: [{ productVariantId: 'a', warehouseId, previous, current }] }, 'inventory.updated');
    const body = gatherAll([moved('1', 'north', 5, 4), moved('2', 'south', 1, 2), moved('3', 'north', 4, 0)]);
    expect(dataOf(body)['warehouses']).toEqual([
      { productVariantId: 'a', warehouseId: 'north', previous: 5, current: 0 },
      { productVariantId: 'a', warehouseId: 'south', previous: 1, current: 2 },
    ]);
  });

  it.each([
    ['all by the app itself', ['me', 'me'], 'me'],
    ['the app last', ['other', 'me'], 'other'],
    ['the app first', ['me', null], null],
    ['others', ['other', null], null],
    ['another between', ['me', 'other', 'me'], 'other'],
  ])('names the app of the subscription as the origin only if it made all of the changes: %s', (_, origins, expected) => {
    const body = gatherAll(origins.map((origin, at) => change(String(at + 1), 'name', at, at + 1, origin)));
    expect(dataOf(body)['origin']).toBe(expected);
  });

  it('has only ids where the body would be too large, and stays so', () => {
    const large = (id: string) => change(id, `field${id}`, null, 'x'.repeat(200_000));
    const small = { id: 'r', gathered: 2, events: ['1', '2'] };
    const body = gatherAll([large('1'), large('2')]);
    expect(dataOf(body)).toEqual(small);
    expect(dataOf(gatherBody(body, change('3', 'name', 'a', 'b'), null))).toEqual({
      ...small,
      gathered: 3,
      events: ['1', '2', '3'],
    });
  });
});

describe('checkGathering', () => {
  it('refuses a longest time that is shorter than the quiet time, and types that are not gathered', () => {
    expect(checkGathering({ quietSeconds: 6, maxSeconds: 5 }, ['product.updated'])?.message).toContain('maxSeconds');
    expect(checkGathering({ quietSeconds: 5, maxSeconds: 5 }, ['order.paid'])?.message).toBe(
      'gather: eventTypes must have product.updated or inventory.updated.',
    );
    expect(checkGathering({ quietSeconds: 5, maxSeconds: 5 }, ['order.paid', 'inventory.updated'])).toBeNull();
  });
});

describe('countGathered', () => {
  const at = (
    seconds: number,
    resourceId = 'r',
    type: 'product.updated' | 'inventory.updated' | 'product.deleted' = 'product.updated',
  ) => ({
    type,
    resourceId,
    at: seconds * 1000,
  });
  const gather = { quietSeconds: 5, maxSeconds: 12 };

  it('counts what comes within the quiet time, but not after the longest', () => {
    expect(countGathered([at(0), at(4), at(8), at(11.9), at(12), at(17)], gather, false)).toBe(3);
  });
  it('looks at each resource and type by itself', () => {
    expect(countGathered([at(0), at(1, 'q'), at(2, 'r', 'inventory.updated'), at(3)], gather, false)).toBe(1);
    expect(countGathered([at(0, 'r', 'product.deleted'), at(1, 'r', 'product.deleted')], gather, false)).toBe(0);
  });
  it('with an order, gathers only into the last delivery of the resource', () => {
    expect(countGathered([at(0), at(1, 'r', 'inventory.updated'), at(2), at(3)], gather, true)).toBe(1);
    expect(countGathered([at(0), at(1, 'q'), at(2)], gather, true)).toBe(1);
  });
  it('begins another when one is full', () => {
    expect(
      countGathered(
        Array.from({ length: MAX_GATHERED + 1 }, () => at(0)),
        gather,
        false,
      ),
    ).toBe(MAX_GATHERED - 1);
  });
});
