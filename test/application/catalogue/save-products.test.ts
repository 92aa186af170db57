import { describe, expect, it } from 'vitest';

import { deleteProduct } from '../../../src/application/catalogue/delete-product.ts';
import { saveProducts, type SavedProduct } from '../../../src/application/catalogue/save-products.ts';
import type { StoredEvent } from '../../memory/webhooks/event-repository.ts';
import { createMemoryPorts } from '../../memory/index.ts';
import { createMemoryState, table } from '../../memory/state.ts';
import type { ProductDocument } from '../../../src/domain/catalogue/product.ts';
import { refuse, type Ok } from '../../../src/domain/result.ts';
import { manualClock } from '../../memory/clock.ts';
import { sequentialIds } from '../../memory/ids.ts';
import { aroundTransaction } from '../../support/around-transaction.ts';
import { judgedTransactions } from '../../support/judged-transactions.ts';

const world = () => {
  const [clock, ids, state] = [manualClock(Date.parse('2026-01-01T00:00:00.000Z')), sequentialIds(), createMemoryState()];
  const ports = { ...judgedTransactions(createMemoryPorts({ clock, ids, idempotencyTtlSeconds: 1 }, state)), clock, ids };
  return {
    ports,
    save: saveProducts(ports),
    remove: deleteProduct(ports),
    storeId: ids.next(),
    events: () => [...table<StoredEvent>(state, 'events').values()],
  };
};
const VARIANT = { sku: 'S', currency: 'EUR' };

describe('saveProducts', () => {
  it('a bad document fails alone; an explicit slug clash is an error, a derived one gets -2', async () => {
    const { save, storeId } = world();
    const outcomes = await save(null, storeId, [
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
    expect(await save(null, storeId, [{ name: 'Saw', slug: 'saw', status: 'Active', ...more }])).toEqual([
      refuse('invalid', 'An Active product must have a variant.'),
    ]);
    expect(await save(null, storeId, [{ name: 'Saw', slug: 'saw', status: 'Draft', ...more }])).toMatchObject([
      { value: { outcome: 'created' } },
    ]);
  });

  it('an Active product cannot lose its last variant or its slug, and a slug that is null is derived from the name', async () => {
    const { save, storeId } = world();
    const active: ProductDocument = { name: 'Saw', slug: 'one', status: 'Active', variants: [VARIANT] };
    const [created] = (await save(null, storeId, [{ ...active }])) as Ok<SavedProduct>[];
    const put = async (document: Partial<ProductDocument>) =>
      (await save(null, storeId, [{ ...active, id: created?.value.product.id ?? '', ...document }]))[0];
    expect(await put({ variants: [] })).toMatchObject({ ok: false, code: 'invalid' });
    expect(await put({ slug: null })).toMatchObject({ value: { product: { slug: 'saw' } } });
    expect(await put({ slug: null, name: '☃' })).toEqual(
      refuse('invalid', 'An Active product must have a slug, and none can be derived from its name.'),
    );
  });

  it('one event per changed resource per commit, none for a no-op', async () => {
    const { save, storeId, events } = world();
    await save(null, storeId, [{ name: 'Saw', slug: 'saw', variants: [{ ...VARIANT, inventory: [{ available: 1 }] }] }]);
    await save(null, storeId, [{ name: 'Saw', slug: 'saw', variants: [{ ...VARIANT, inventory: [{ available: 1 }] }] }]);
    expect(events().map(({ type }) => type)).toEqual(['product.created']);
    await save(null, storeId, [{ name: 'Saw', slug: 'saw', variants: [{ ...VARIANT, inventory: [{ available: 4 }] }] }]);
    expect(events().map(({ type }) => type)).toEqual(['product.created', 'inventory.updated']);
    expect(events()[1]?.data).toMatchObject({ variants: [{ sku: 'S', previous: 1, current: 4 }], origin: null });
  });

  it('categories and tax classes that a document embeds are made once, with their parents', async () => {
    const { save, storeId, events } = world();
    const category = { name: 'Saws', parent: { name: 'Tools' } };
    const [one, other] = (await save(null, storeId, [
      { name: 'a', category, taxClass: { name: 'Standard', code: 'std' } },
      { name: 'b', category, taxClass: { code: 'std' } },
    ])) as Ok<SavedProduct>[];
    expect(one?.value.product.category).toMatchObject({ name: 'Saws', parentId: expect.any(String) as string });
    expect([other?.value.product.categoryId, other?.value.product.taxClassId]).toEqual([
      one?.value.product.categoryId,
      one?.value.product.taxClassId,
    ]);
    expect(events().map(({ type, data }) => [type, data['name']])).toEqual([
      ['category.created', 'Tools'],
      ['category.created', 'Saws'],
      ['tax_class.created', 'Standard'],
      ['product.created', undefined],
      ['product.created', undefined],
    ]);
  });

  it('the time is read after every lock, in each run of the transaction', async () => {
    const { ports, save, storeId } = world();
    const [saved] = (await save(null, storeId, [{ name: 'Saw', slug: 'saw' }])) as Ok<SavedProduct>[];
    const id = saved?.value.product.id ?? '';
    const waiting =
      <A extends unknown[], R>(lock: (...given: A) => R) =>
      (...given: A): R => {
        ports.clock.advance(60_000);
        return lock(...given);
      };
    const transaction = aroundTransaction(ports.transaction, (run, work) =>
      run(({ products, bulkProducts, ...tx }) =>
        work({
          ...tx,
          products: { ...products, lockCatalogue: waiting(products.lockCatalogue), lock: waiting(products.lock) },
          bulkProducts: { ...bulkProducts, claimSlugs: waiting(bulkProducts.claimSlugs) },
        }),
      ),
    );
    const document: ProductDocument = { id, name: 'Plane', slug: 'saw', category: { name: 'Planes' } };
    // Three minutes in each of two runs.
    const now = '2026-01-01T00:06:00.000Z';
    expect(await saveProducts({ ...ports, transaction })(null, storeId, [document])).toMatchObject([
      { value: { product: { updatedAt: now, category: { createdAt: now } } } },
    ]);
  });

  it('nothing to save opens no transaction', async () => {
    const { ports, storeId } = world();
    const run = (): Promise<never> => Promise.reject(new Error('no database'));
    const transaction = { run, runClaimed: run };
    expect(await saveProducts({ ...ports, transaction })(null, storeId, [])).toEqual([]);
  });

  describe('a slug', () => {
    const [X, Y] = ['00000000-0000-7000-8000-ffffffffff01', '00000000-0000-7000-8000-ffffffffff02'];

    it('that a document gives up is free for the next one, and one that it takes is not', async () => {
      const { save, storeId } = world();
      await save(null, storeId, [{ id: X, name: 'Saw', slug: 'old' }]);
      expect(
        await save(null, storeId, [
          { id: X, name: 'Saw', slug: 'new' },
          { id: Y, name: 'Plane', slug: 'old' },
          { name: 'Axe', slug: 'new', id: '00000000-0000-7000-8000-ffffffffff03' },
        ]),
      ).toMatchObject([
        { ok: true, value: { outcome: 'updated', product: { slug: 'new' } } },
        { ok: true, value: { outcome: 'created', product: { slug: 'old' } } },
        refuse('invalid', `slug new belongs to product ${X}.`),
      ]);
    });
    it('that a refused document would give up stays taken', async () => {
      const { save, storeId } = world();
      await save(null, storeId, [{ id: X, name: 'Saw', slug: 'old' }]);
      const results = await save(null, storeId, [
        { id: X, name: '', slug: 'new' },
        { id: Y, name: 'Plane', slug: 'old' },
        { id: Y, name: 'Plane', slug: 'new' },
      ]);
      expect(results).toMatchObject([{ ok: false }, refuse('invalid', `slug old belongs to product ${X}.`), { ok: true }]);
    });
    it('derived from a name is not refused to the product that has it', async () => {
      const { save, storeId } = world();
      const document: ProductDocument = { id: X, name: 'Saw', slug: 'saw', status: 'Active', variants: [VARIANT] };
      await save(null, storeId, [document]);
      expect(await save(null, storeId, [{ ...document, slug: null }])).toMatchObject([{ value: { product: { slug: 'saw' } } }]);
    });
    it('derived from a name avoids those of the products that the store has', async () => {
      const { save, storeId } = world();
      await save(null, storeId, [{ id: X, name: 'Other', slug: 'saw' }]);
      expect(await save(null, storeId, [{ id: Y, name: 'Saw', status: 'Active', variants: [VARIANT] }])).toMatchObject([
        { value: { product: { slug: 'saw-2' } } },
      ]);
    });
    it('that a product gave up does not keep it from being put again', async () => {
      const { save, storeId } = world();
      for (const slug of ['one', 'two', 'three']) {
        expect(await save(null, storeId, [{ id: X, name: 'Saw', slug }])).toMatchObject([
          { ok: true, value: { product: { slug } } },
        ]);
      }
    });
    it('of a Draft is not derived', async () => {
      const { save, storeId } = world();
      expect(await save(null, storeId, [{ name: 'Saw' }])).toMatchObject([{ value: { product: { slug: null } } }]);
    });
  });

  describe('a deleted product', () => {
    const ID = '00000000-0000-7000-8000-ffffffffff01';
    const deleted = async () => {
      const opened = world();
      await opened.save(null, opened.storeId, [{ id: ID, name: 'Saw' }]);
      await opened.remove(null, opened.storeId, ID);
      return opened;
    };

    it('is created again by a document of its id', async () => {
      const { save, storeId, events } = await deleted();
      expect(await save(null, storeId, [{ id: ID, name: 'Saw' }])).toMatchObject([
        { value: { outcome: 'created', product: { id: ID, isDeleted: false, deletedAt: null } } },
      ]);
      expect(events().map(({ type }) => type)).toEqual(['product.created', 'product.deleted', 'product.created']);
    });
    it('stays deleted, without an event, when the document is refused', async () => {
      const { save, storeId, events } = await deleted();
      expect(await save(null, storeId, [{ id: ID, name: '' }])).toEqual([refuse('invalid', 'name is required.')]);
      expect(events().map(({ type }) => type)).toEqual(['product.created', 'product.deleted']);
    });
  });

  it('a product that cannot be written is refused with the reason and has no event; the others are saved', async () => {
    const { save, storeId, events } = world();
    const [saved] = (await save(null, storeId, [{ name: 'Saw', variants: [VARIANT] }])) as Ok<SavedProduct>[];
    const id = saved?.value.product.variants[0]?.id;
    expect(await save(null, storeId, [{ name: 'Plane', variants: [{ ...VARIANT, id }] }, { name: 'Axe' }])).toMatchObject([
      refuse('invalid', 'id: another record of the store has it'),
      { ok: true, value: { outcome: 'created', product: { name: 'Axe' } } },
    ]);
    expect(events().map(({ data }) => (data['product'] as { name: string }).name)).toEqual(['Saw', 'Axe']);
  });

  it('a refused document creates no category and no tax class, also no parent of a category', async () => {
    const { ports, save, storeId } = world();
    const names = async (): Promise<string[]> =>
      ports.transaction.run(null, async (tx) => {
        const wanted = ['Tools', 'Saws', 'Planes', 'Standard'];
        const found = await tx.categories.find(storeId, { ids: [], slugs: [], names: wanted });
        const taxClasses = await tx.taxClasses.find(storeId, { ids: [], codes: [], names: wanted });
        return [...found, ...taxClasses].map(({ name }) => name).toSorted();
      });
    const refused = { name: '', category: { name: 'Planes', parent: { name: 'Tools' } }, taxClass: { name: 'Standard' } };
    expect(await save(null, storeId, [refused])).toMatchObject([{ ok: false }]);
    expect(await names()).toEqual([]);
    await save(null, storeId, [
      refused,
      { name: 'Saw', productCategories: [{ category: { name: 'Saws', parent: { name: 'Tools' } } }] },
    ]);
    expect(await names()).toEqual(['Saws', 'Tools']);
  });

  it('an unknown category is refused, and the category of a product is the stored one', async () => {
    const { save, storeId } = world();
    const unknown = '00000000-0000-7000-8000-ffffffffff01';
    expect(await save(null, storeId, [{ name: 'Saw', categoryId: unknown }])).toEqual([
      refuse('invalid', `categoryId ${unknown} does not exist in this store.`),
    ]);
    const [saved] = (await save(null, storeId, [
      { name: 'Saw', category: { name: 'Saws' }, taxClass: { name: 'Standard' } },
    ])) as Ok<SavedProduct>[];
    const { categoryId, taxClassId, id } = saved!.value.product;
    expect(await save(null, storeId, [{ id, name: 'Saw', categoryId, taxClassId }])).toMatchObject([
      { value: { product: { category: { name: 'Saws' }, taxClass: { name: 'Standard' } } } },
    ]);
    expect(await save(null, storeId, [{ id, name: 'Saw' }])).toMatchObject([
      { value: { product: { categoryId: null, category: null, taxClassId: null, taxClass: null } } },
    ]);
  });
});
