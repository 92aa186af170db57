import { beforeEach, describe, expect, it } from 'vitest';

import { createMemoryState, table } from '../../memory/state.ts';
import type { StoredEvent } from '../../memory/webhooks/event-repository.ts';
import {
  deleteCollection,
  deleteCategory,
  putCategory,
  putCollection,
  putTaxClass,
} from '../../../src/application/catalogue/taxonomy.ts';
import { deleteProduct } from '../../../src/application/catalogue/delete-product.ts';
import { exportProducts } from '../../../src/application/catalogue/export-products.ts';
import { catalogueLookups } from '../../../src/application/catalogue/lookups.ts';
import { putProduct } from '../../../src/application/catalogue/put-product.ts';
import type { Cause } from '../../../src/domain/cause.ts';
import type { CollectionDocument, Product, ProductDocument } from '../../../src/domain/catalogue/product.ts';
import type { JsonDocument } from '../../../src/domain/reading.ts';
import type { TransactionPorts } from '../../../src/domain/ports/index.ts';
import type { Work } from '../../../src/domain/ports/transaction.ts';
import { refuse } from '../../../src/domain/result.ts';
import { openMemoryPorts } from '../../support/memory-ports.ts';
import { allOf } from '../../support/all-of.ts';

const PAGE = { skip: 0, take: 10 };
const uuid = (end: string): string => `00000000-0000-7000-8000-${end.padStart(12, '0')}`;
const [A, B, C] = [uuid('a'), uuid('b'), uuid('c')] as [string, string, string];
const NO_STORE = { ok: false, code: 'not_found', message: 'Store not found.' };

let state: ReturnType<typeof createMemoryState>;
let ports: ReturnType<typeof openMemoryPorts>;
const events = () => [...table<StoredEvent>(state, 'events').values()];
const put = (id: string, document: Partial<ProductDocument>) =>
  putProduct(ports)(null, 'store', id, { name: 'Saw', ...document });
const parsed = (result: { ok: true; value: JsonDocument } | { ok: false; message: string }): unknown =>
  result.ok ? JSON.parse(Buffer.from(result.value.bytes ?? []).toString()) : result.message;

beforeEach(() => {
  state = createMemoryState();
  ports = openMemoryPorts({}, state);
  table(state, 'stores').set('store', { id: 'store', status: 'Active' });
});

describe('a product', () => {
  it('is created, replaced and returned as its detail', async () => {
    expect(parsed(await put(A, { name: 'Saw', slug: 'saw' }))).toMatchObject({ id: A, name: 'Saw', slug: 'saw' });
    expect(parsed(await put(A, { name: 'Plane', id: A }))).toMatchObject({ id: A, name: 'Plane' });
    expect(parsed(await catalogueLookups(ports).getProduct('store', A))).toMatchObject({ id: A, name: 'Plane' });
    expect(events().map(({ type }) => type)).toEqual(['product.created', 'product.updated']);
  });
  it('has the id of the path', async () => {
    expect(await put(A, { id: B })).toEqual(refuse('invalid', 'id must be the id of the path.'));
    expect(await put(A, { name: '' })).toEqual(refuse('invalid', 'name is required.'));
    expect(events()).toEqual([]);
  });
  it('cannot be put into a store that does not exist', async () => {
    expect(await putProduct(ports)(null, 'elsewhere', A, { name: 'Saw' })).toEqual(NO_STORE);
  });
  it('that is deleted while it is put is a conflict', async () => {
    const productReader = { ...ports.productReader, detail: async () => null };
    expect(await putProduct({ ...ports, productReader })(null, 'store', A, { name: 'Saw' })).toEqual(
      refuse('conflict', 'The product was deleted by another request.'),
    );
  });
  it('that is deleted is not found any more, its slug is free, and one event says so', async () => {
    await put(A, { slug: 'saw' });
    table(state, 'events').clear();
    expect(await deleteProduct(ports)(null, 'store', A)).toEqual({ ok: true, value: null });
    const refused = { ok: false, code: 'not_found', message: 'Product not found.' };
    expect(await catalogueLookups(ports).getProduct('store', A)).toEqual(refused);
    expect(await deleteProduct(ports)(null, 'store', A)).toEqual(refused);
    expect(events()).toMatchObject([
      { type: 'product.deleted', storeId: 'store', resourceId: A, origin: null, data: { id: A, origin: null } },
    ]);
    expect(parsed(await put(B, { slug: 'saw' }))).toMatchObject({ slug: 'saw' });
  });
});

describe('the list of products', () => {
  it('is a page of the live products of the store', async () => {
    await put(A, {});
    await put(B, {});
    await deleteProduct(ports)(null, 'store', A);
    expect(parsed(await catalogueLookups(ports).listProducts('store', PAGE, {}))).toMatchObject({
      items: [{ id: B }],
      total: 1,
      ...PAGE,
    });
  });
  it('is unavailable when the search takes too long', async () => {
    const productReader = { ...ports.productReader, list: async () => null };
    expect(await catalogueLookups({ ...ports, productReader }).listProducts('store', PAGE, {})).toEqual(
      refuse('unavailable', 'The search took too long. Use a longer or more specific q.'),
    );
  });
});

describe('a collection', () => {
  const save = (document: Partial<CollectionDocument> = {}, id = C) =>
    putCollection(ports)(null, 'store', id, { title: 'Saws', productIds: [A, B], ...document });
  beforeEach(async () => {
    await put(A, {});
    await put(B, { slug: 'b' });
    table(state, 'events').clear();
  });

  it('keeps its products in the order given', async () => {
    expect(await save({ handle: 'All Saws' })).toEqual({
      ok: true,
      value: { id: C, title: 'Saws', handle: 'all-saws', productIds: [A, B] },
    });
    expect(await catalogueLookups(ports).listCollectionProducts('store', C, PAGE).then(parsed)).toMatchObject({ total: 2 });
  });
  it('has one event for its creation and each change, and none for a write that changes nothing', async () => {
    await save();
    await save();
    await save({ title: 'More saws' });
    expect(events()).toMatchObject([
      { type: 'collection.created', resourceId: C, origin: null, data: { id: C, title: 'Saws', origin: null } },
      { type: 'collection.updated', resourceId: C, origin: null, data: { title: 'More saws' } },
    ]);
    expect(events()).toHaveLength(2);
  });
  it.each([
    ['products twice', { productIds: [A, B, A, A, B] }, `productIds contains these ids more than once: ${A}, ${B}.`],
    [
      'products that do not exist',
      { productIds: [A, C, uuid('d')] },
      `productIds contains ids that are not products of this store: ${C}, ${uuid('d')}.`,
    ],
    ['a handle without a letter or digit', { handle: '☃' }, 'handle must contain at least one letter or digit.'],
    ['a handle that is too long', { handle: 'x'.repeat(256) }, 'handle must have at most 255 characters.'],
  ])('with %s is refused', async (_, document, message) => {
    expect(await save(document)).toEqual(refuse('invalid', message));
    expect(events()).toEqual([]);
  });
  it.each([[undefined], [null]])('may have no handle, as many others: %s', async (handle) => {
    expect(await save({ handle })).toMatchObject({ ok: true, value: { handle: null } });
    expect(await save({ handle }, uuid('d'))).toMatchObject({ ok: true, value: { handle: null } });
  });
  it('names at most 20 of the ids that are at fault', async () => {
    const ids = Array.from({ length: 25 }, (_, n) => uuid(`f${n}`));
    const named = async (productIds: string[]) => {
      const refused = await save({ productIds });
      return refused.ok ? [] : ids.filter((id) => refused.message.includes(id));
    };
    expect(await named(ids)).toEqual(ids.slice(0, 20));
    expect(await named([...ids, ...ids])).toEqual(ids.slice(0, 20));
  });
  it('cannot have the handle of another one', async () => {
    await save({ handle: 'saws' });
    expect(await save({ handle: 'saws' }, uuid('d'))).toEqual(refuse('conflict', `handle saws belongs to collection ${C}.`));
    expect(await save({ handle: 'saws', title: 'x' })).toMatchObject({ ok: true });
  });
  it('that is deleted is not found any more, and one event says so', async () => {
    await save();
    table(state, 'events').clear();
    expect(await deleteCollection(ports)(null, 'store', C)).toEqual({ ok: true, value: null });
    const refused = { ok: false, code: 'not_found', message: 'Collection not found.' };
    expect(await deleteCollection(ports)(null, 'store', C)).toEqual(refused);
    expect(await catalogueLookups(ports).listCollectionProducts('store', C, PAGE)).toEqual(refused);
    expect(events()).toMatchObject([
      { type: 'collection.deleted', storeId: 'store', resourceId: C, origin: null, data: { id: C, origin: null } },
    ]);
  });
  it('cannot be put into a store that does not exist', async () => {
    expect(await putCollection(ports)(null, 'elsewhere', C, { title: 'x', productIds: [] })).toEqual(NO_STORE);
  });
});

describe('a category', () => {
  const save = (id: string, more: object = {}) => putCategory(ports)(null, 'store', id, { name: 'Tools', ...more });

  it('is created with its defaults and replaced with the time of the change', async () => {
    const created = { id: A, name: 'Tools', slug: null, parentId: null, position: 0, updatedAt: null };
    expect(await save(A)).toMatchObject({ ok: true, value: created });
    const changed = { name: 'Saws', slug: 'saws', position: 3 };
    expect(await save(A, { ...changed, slug: 'Saws' })).toMatchObject({
      ok: true,
      value: { ...changed, updatedAt: expect.any(String) },
    });
  });
  it('keeps the time of its creation when it is replaced, and is stored as it is returned', async () => {
    await save(A);
    ports.clock.advance(1_000);
    const replaced = await save(A, { name: 'Saws' });
    expect(replaced).toMatchObject({
      value: { tenantId: 'store', createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:01.000Z' },
    });
    expect(replaced).toEqual({ ok: true, value: table(state, 'categories').get(`store/${A}`) });
  });
  it('has one event for its creation and each change, and none for a write that changes nothing', async () => {
    await save(A);
    ports.clock.advance(1_000);
    expect(await save(A)).toMatchObject({ value: { updatedAt: null } });
    expect(table(state, 'categories').get(`store/${A}`)).toMatchObject({ updatedAt: null });
    await save(A, { name: 'Saws', slug: 'saws', position: 2 });
    const common = { storeId: 'store', resourceId: A, origin: null };
    expect(events()).toMatchObject([
      { ...common, type: 'category.created' },
      { ...common, type: 'category.updated' },
    ]);
    expect(events().map(({ data }) => data)).toEqual([
      { id: A, name: 'Tools', slug: null, parentId: null, position: 0, origin: null },
      { id: A, name: 'Saws', slug: 'saws', parentId: null, position: 2, origin: null },
    ]);
  });
  it('that is deleted is gone, and one event says so', async () => {
    await save(A, { slug: 'saws' });
    table(state, 'events').clear();
    expect(await deleteCategory(ports)(null, 'store', A)).toEqual({ ok: true, value: null });
    expect(await deleteCategory(ports)(null, 'store', A)).toEqual(refuse('not_found', 'Category not found.'));
    expect(events()).toMatchObject([
      { type: 'category.deleted', storeId: 'store', resourceId: A, origin: null, data: { id: A, origin: null } },
    ]);
    expect(await save(B, { slug: 'saws' })).toMatchObject({ ok: true });
  });
  it('is taken from deleted products by and by: the last transaction, for which others wait, has few left', async () => {
    await save(A);
    await put(C, { categoryId: A });
    await deleteProduct(ports)(null, 'store', C);
    const products = () => table<Product>(state, 'products');
    const [deleted] = products().values();
    for (let at = 1; at < 2_500; at += 1) {
      const id = uuid(`${String(at)}0000`);
      if (deleted) products().set(`store/${id}`, { ...deleted, id });
    }
    const having = () => [...products().values()].filter(({ categoryId }) => categoryId === A).length;
    const left = [having()];
    const run = async <T>(cause: Cause, work: Work<T>): Promise<T> => {
      const result = await ports.transaction.run(cause, work);
      left.push(having());
      return result;
    };
    expect(await deleteCategory({ transaction: { ...ports.transaction, run } })(null, 'store', A)).toMatchObject({ ok: true });
    expect(left).toEqual([2_500, 2_500, 1_500, 500, 0, 0]);
  });
  it('that is refused stays with deleted products too', async () => {
    await save(A);
    for (const id of [B, C]) await put(id, { categoryId: A });
    await deleteProduct(ports)(null, 'store', C);
    expect(await deleteCategory(ports)(null, 'store', A)).toMatchObject({ code: 'conflict' });
    expect(table<Product>(state, 'products').get(`store/${C}`)).toMatchObject({ isDeleted: true, categoryId: A });
  });
  it('is not deleted while it has products or categories below it', async () => {
    await save(A);
    await save(B, { parentId: A });
    await put(C, { categoryId: B });
    const move = 'Move them to another category first.';
    expect(await deleteCategory(ports)(null, 'store', B)).toEqual(refuse('conflict', `The category has products. ${move}`));
    const parent = refuse('conflict', 'The category is the parent of other categories. Move them first.');
    expect(await deleteCategory(ports)(null, 'store', A)).toEqual(parent);
    expect(events().filter(({ type }) => type === 'category.deleted')).toEqual([]);
    await put(C, {});
    for (const id of [B, A]) expect(await deleteCategory(ports)(null, 'store', id)).toMatchObject({ ok: true });
  });
  it('has no slug when the slug is empty', async () => {
    expect(await save(A, { slug: '' })).toMatchObject({ ok: true, value: { slug: null } });
  });
  it('may have a parent, but not itself, one below it or one that does not exist', async () => {
    await save(A);
    expect(await save(B, { parentId: A })).toMatchObject({ ok: true, value: { parentId: A } });
    const cyclic = refuse('invalid', 'parentId must not be this category or one of its descendants.');
    expect(await save(A, { parentId: A })).toEqual(cyclic);
    expect(await save(A, { parentId: B })).toEqual(cyclic);
    expect(await save(A, { parentId: C })).toEqual(refuse('invalid', `parentId ${C} does not exist in this store.`));
    expect(await save(C, { parentId: C })).toEqual(cyclic);
    await save(C, { parentId: B });
    expect(await save(A, { parentId: C })).toEqual(cyclic);
    expect(await save(C, { parentId: A })).toMatchObject({ ok: true, value: { parentId: A } });
  });
  it('cannot have the slug of another one, nor a slug without a letter or digit', async () => {
    await save(A, { slug: 'saws' });
    expect(await save(B, { slug: 'saws' })).toEqual(refuse('conflict', `slug saws belongs to category ${A}.`));
    expect(await save(A, { slug: 'saws' })).toMatchObject({ ok: true });
    expect(await save(B, { slug: '☃' })).toEqual(refuse('invalid', 'slug must contain at least one letter or digit.'));
    expect(await save(B, { slug: 'planes', parentId: A })).toMatchObject({ ok: true, value: { slug: 'planes' } });
    expect(await save(B)).toMatchObject({ ok: true, value: { slug: null } });
    expect(await save(C)).toMatchObject({ ok: true, value: { slug: null } });
  });
  it('cannot be put into a store that does not exist', async () => {
    expect(await putCategory(ports)(null, 'elsewhere', A, { name: 'Tools' })).toEqual(NO_STORE);
  });
});

describe('a tax class', () => {
  const save = (id: string, more: object = {}) =>
    putTaxClass(ports)(null, 'store', id, { name: 'Standard', code: 'std', ...more });

  it('is created and replaced; it is not the default one unless it says so', async () => {
    expect(await save(A)).toMatchObject({ ok: true, value: { id: A, code: 'std', isDefault: false, updatedAt: null } });
    const changed = { name: 'Reduced', isDefault: true };
    expect(await save(A, changed)).toMatchObject({ ok: true, value: { ...changed, updatedAt: expect.any(String) } });
  });
  it('keeps the time of its creation when it is replaced, and is stored as it is returned', async () => {
    await save(A);
    ports.clock.advance(1_000);
    const replaced = await save(A, { code: 'low' });
    expect(replaced).toMatchObject({
      value: { tenantId: 'store', createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:01.000Z' },
    });
    expect(replaced).toEqual({ ok: true, value: table(state, 'tax_classes').get(`store/${A}`) });
  });
  it('has one event for its creation and each change, and none for a write that changes nothing', async () => {
    await save(A);
    ports.clock.advance(1_000);
    expect(await save(A)).toMatchObject({ value: { updatedAt: null } });
    expect(table(state, 'tax_classes').get(`store/${A}`)).toMatchObject({ updatedAt: null });
    await save(A, { name: 'Reduced', code: 'low', isDefault: true });
    const common = { storeId: 'store', resourceId: A, origin: null };
    expect(events()).toEqual([
      expect.objectContaining({
        ...common,
        type: 'tax_class.created',
        data: { id: A, name: 'Standard', code: 'std', isDefault: false, origin: null },
      }),
      expect.objectContaining({
        ...common,
        type: 'tax_class.updated',
        data: { id: A, name: 'Reduced', code: 'low', isDefault: true, origin: null },
      }),
    ]);
  });
  it('cannot have the code of another one', async () => {
    await save(A);
    await save(B, { code: 'other' });
    expect(await save(B)).toEqual(refuse('conflict', `code std belongs to tax class ${A}.`));
  });
  it('cannot be put into a store that does not exist', async () => {
    expect(await putTaxClass(ports)(null, 'elsewhere', A, { name: 'x', code: 'x' })).toEqual(NO_STORE);
  });
});

describe('an export', () => {
  const exported = (): Promise<ProductDocument[]> => allOf(exportProducts(ports)('store'));
  it('has every live product once, however many pages they fill', async () => {
    for (const count of [0, 50, 101]) {
      for (let n = 0; n < count; n += 1) await put(uuid(`1${n}`), { name: `Saw ${n}` });
      const ids = (await exported()).map(({ id }) => id);
      expect(ids).toHaveLength(count);
      expect(new Set(ids).size).toBe(count);
    }
  });
  it('has the categories of a product with their parents, so that another store can make them', async () => {
    await putCategory(ports)(null, 'store', A, { name: 'Tools' });
    await putCategory(ports)(null, 'store', B, { name: 'Saws', parentId: A });
    await put(C, { categoryId: B, productCategories: [{ categoryId: A }] });
    await put(uuid('d'), {});
    expect(await exported()).toMatchObject([
      {
        category: { id: B, name: 'Saws', parent: { id: A, name: 'Tools', parent: null } },
        productCategories: [{ category: { id: A, name: 'Tools', parent: null } }],
      },
      { category: null, productCategories: [] },
    ]);
  });
  it('reads pages until one is empty, because large products make them short', async () => {
    const asked = async (): Promise<number> => {
      let pages = 0;
      const productExporter: typeof ports.productExporter = {
        page: (...page) => {
          pages += 1;
          return ports.productExporter.page(...page);
        },
      };
      const documents = await allOf(exportProducts({ ...ports, productExporter })('store'));
      expect(new Set(documents.map(({ name }) => name))).toEqual(new Set(documents.length > 0 ? ['Saw'] : []));
      return pages;
    };
    for (const [count, pages] of [
      [0, 1],
      [49, 2],
      [51, 3],
    ] as const) {
      for (let n = 0; n < count; n += 1) await put(uuid(`1${n}`), {});
      expect(await asked()).toBe(pages);
    }
  });
  it('looks up each category of a page once, and nothing else', async () => {
    await putCategory(ports)(null, 'store', A, { name: 'Tools' });
    await putCategory(ports)(null, 'store', B, { name: 'Saws' });
    await put(C, { categoryId: A, productCategories: [{ categoryId: B }] });
    await put(uuid('d'), { categoryId: A });
    await put(uuid('e'), {});
    const asked: unknown[] = [];
    const transaction: typeof ports.transaction = {
      ...ports.transaction,
      run: (cause, work) =>
        ports.transaction.run(cause, (tx) => {
          asked.length = 0;
          const find: TransactionPorts['categories']['find'] = (storeId, by) => {
            asked.push(by);
            return tx.categories.find(storeId, by);
          };
          return work({ ...tx, categories: { ...tx.categories, find } });
        }),
    };
    expect(await allOf(exportProducts({ ...ports, transaction })('store'))).toHaveLength(3);
    expect(asked).toEqual([{ ids: [A, B], slugs: [], names: [] }]);
  });
});
