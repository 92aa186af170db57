import { describe, expect, it } from 'vitest';

import { saveProducts } from '../../../src/application/catalogue/save-products.ts';
import type { StoredEvent } from '../../../src/adapters/memory/webhooks/event-repository.ts';
import { createMemoryPorts } from '../../../src/adapters/memory/index.ts';
import { createMemoryState, table } from '../../../src/adapters/memory/state.ts';
import type { Product, ProductDocument } from '../../../src/domain/catalogue/product.ts';
import { manualClock } from '../../../src/adapters/memory/clock.ts';
import { sequentialIds } from '../../../src/adapters/memory/ids.ts';

const world = () => {
  const [clock, ids, state] = [manualClock(Date.parse('2026-01-01T00:00:00.000Z')), sequentialIds(), createMemoryState()];
  const ports = { ...createMemoryPorts({ clock, ids, idempotencyTtlSeconds: 1 }, state), clock, ids };
  return {
    save: saveProducts(ports),
    storeId: ids.next(),
    events: () => [...table<StoredEvent>(state, 'events').values()],
  };
};
const VARIANT = { sku: 'S', currency: 'EUR' };

describe('saveProducts', () => {
  it('a bad document fails alone; an explicit slug clash is an error, a derived one gets -2', async () => {
    const { save, storeId } = world();
    const outcomes = await save(storeId, [
      { name: 'Saw', status: 'Active', variants: [VARIANT] },
      { name: '' },
      { name: 'Saw', status: 'Active', variants: [VARIANT] },
      { name: 'Other', slug: 'saw', id: '00000000-0000-7000-8000-00000000ffff' },
    ]);
    expect(outcomes.map((one) => (one.outcome === 'failed' ? one.message.slice(0, 24) : one.product.slug))).toEqual([
      'saw',
      'name: required',
      'saw-2',
      'slug: saw is taken by pr',
    ]);
  });

  it.each([
    ['without variants', {}],
    ['with an empty list of variants', { variants: [] }],
    ['whose only variant is deleted', { variants: [{ ...VARIANT, isDeleted: true }] }],
  ])('an Active product %s is refused, as in bulk', async (_, more) => {
    const { save, storeId } = world();
    expect(await save(storeId, [{ name: 'Saw', slug: 'saw', status: 'Active', ...more }])).toEqual([
      { outcome: 'failed', message: 'variants: an Active product needs at least one variant' },
    ]);
    expect(await save(storeId, [{ name: 'Saw', slug: 'saw', status: 'Draft', ...more }])).toMatchObject([{ outcome: 'created' }]);
  });

  it('an Active product cannot lose its last variant or its slug, and a slug that is null is derived from the name', async () => {
    const { save, storeId } = world();
    const active: ProductDocument = { name: 'Saw', slug: 'one', status: 'Active', variants: [VARIANT] };
    const [created] = (await save(storeId, [{ ...active }])) as { product: Product }[];
    const put = async (document: Partial<ProductDocument>) =>
      (await save(storeId, [{ ...active, id: created?.product.id ?? '', ...document }]))[0];
    expect(await put({ variants: [] })).toMatchObject({ outcome: 'failed' });
    expect(await put({ slug: null })).toMatchObject({ product: { slug: 'saw' } });
    expect(await put({ slug: null, name: '木工' })).toEqual({
      outcome: 'failed',
      message: 'slug: an Active product needs a slug, and its name gives none',
    });
  });

  it('one event per changed resource per commit, none for a no-op', async () => {
    const { save, storeId, events } = world();
    await save(storeId, [{ name: 'Saw', slug: 'saw', variants: [{ ...VARIANT, inventory: [{ available: 1 }] }] }]);
    await save(storeId, [{ name: 'Saw', slug: 'saw', variants: [{ ...VARIANT, inventory: [{ available: 1 }] }] }]);
    expect(events().map(({ type }) => type)).toEqual(['product.created']);
    await save(storeId, [{ name: 'Saw', slug: 'saw', variants: [{ ...VARIANT, inventory: [{ available: 4 }] }] }]);
    expect(events().map(({ type }) => type)).toEqual(['product.created', 'product.updated', 'inventory.updated']);
    expect(events()[2]?.data).toMatchObject({ variants: [{ sku: 'S', previous: 1, current: 4 }], origin: null });
  });

  it('categories and tax classes that a document embeds are made once, with their parents', async () => {
    const { save, storeId } = world();
    const category = { name: 'Saws', parent: { name: 'Tools' } };
    const [one, other] = (await save(storeId, [
      { name: 'a', category, taxClass: { name: 'Standard', code: 'std' } },
      { name: 'b', category, taxClass: { code: 'std' } },
    ])) as { product: Product }[];
    expect(one?.product.category).toMatchObject({ name: 'Saws', parentId: expect.any(String) as string });
    expect([other?.product.categoryId, other?.product.taxClassId]).toEqual([one?.product.categoryId, one?.product.taxClassId]);
  });
});
