import { describe, expect, it } from 'vitest';

import { saveProducts } from '../../../src/application/catalogue/save-products.ts';
import type { SavedProduct } from '../../../src/application/catalogue/save-products.ts';
import type { StoredEvent } from '../../../src/adapters/memory/webhooks/event-repository.ts';
import { createMemoryPorts } from '../../../src/adapters/memory/index.ts';
import { createMemoryState, table } from '../../../src/adapters/memory/state.ts';
import type { ProductDocument } from '../../../src/domain/catalogue/product.ts';
import { refuse } from '../../../src/domain/result.ts';
import type { Ok } from '../../../src/domain/result.ts';
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
    expect(outcomes.map((one) => (one.ok ? one.value.product.slug : one.message.slice(0, 24)))).toEqual([
      'saw',
      'name is required.',
      'saw-2',
      'slug saw belongs to prod',
    ]);
  });

  it.each([
    ['without variants', {}],
    ['with an empty list of variants', { variants: [] }],
    ['whose only variant is deleted', { variants: [{ ...VARIANT, isDeleted: true }] }],
  ])('an Active product %s is refused, as in bulk', async (_, more) => {
    const { save, storeId } = world();
    expect(await save(storeId, [{ name: 'Saw', slug: 'saw', status: 'Active', ...more }])).toEqual([
      refuse('invalid', 'An Active product must have a variant.'),
    ]);
    expect(await save(storeId, [{ name: 'Saw', slug: 'saw', status: 'Draft', ...more }])).toMatchObject([
      { value: { outcome: 'created' } },
    ]);
  });

  it('an Active product cannot lose its last variant or its slug, and a slug that is null is derived from the name', async () => {
    const { save, storeId } = world();
    const active: ProductDocument = { name: 'Saw', slug: 'one', status: 'Active', variants: [VARIANT] };
    const [created] = (await save(storeId, [{ ...active }])) as Ok<SavedProduct>[];
    const put = async (document: Partial<ProductDocument>) =>
      (await save(storeId, [{ ...active, id: created?.value.product.id ?? '', ...document }]))[0];
    expect(await put({ variants: [] })).toMatchObject({ ok: false, code: 'invalid' });
    expect(await put({ slug: null })).toMatchObject({ value: { product: { slug: 'saw' } } });
    expect(await put({ slug: null, name: '木工' })).toEqual(
      refuse('invalid', 'An Active product must have a slug, and none can be derived from its name.'),
    );
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
    ])) as Ok<SavedProduct>[];
    expect(one?.value.product.category).toMatchObject({ name: 'Saws', parentId: expect.any(String) as string });
    expect([other?.value.product.categoryId, other?.value.product.taxClassId]).toEqual([
      one?.value.product.categoryId,
      one?.value.product.taxClassId,
    ]);
  });
});
