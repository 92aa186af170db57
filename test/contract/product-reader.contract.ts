import { afterAll, describe, expect, it } from 'vitest';

import { parsePlace, type ProductPlace } from '../../src/domain/catalogue/product-place.ts';
import type { ProductPage } from '../../src/domain/ports/catalogue/product-reader.ts';
import { seeded } from '../campaigns/faults/random.ts';
import { beforeAll } from './hooks.ts';
import { aFullDocument, contentOf, type CatalogueWorld } from './catalogue-worlds.ts';

const PAGE = { skip: 0, take: 50 };
interface Envelope {
  items: Record<string, unknown>[];
  skip: number;
  take: number;
  total: number;
  next?: string | null;
}

export const productReaderContract = (name: string, open: () => Promise<CatalogueWorld>): void => {
  describe(`ProductReader on ${name}`, () => {
    let world: CatalogueWorld;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());

    const list = async (storeId: string, page: ProductPage = PAGE, filter = {}): Promise<Envelope> =>
      contentOf(await world.ports.productReader.list(storeId, page, filter)) as Envelope;
    const names = async (storeId: string, filter = {}, page = PAGE) =>
      (await list(storeId, page, filter)).items.map((item) => item['name']);

    describe('list', () => {
      it("Returns the list envelope of the store's live products, by createdAt, then id.", async () => {
        const storeId = await world.aStore();
        const [, , gone] = await world.saved(
          storeId,
          { name: 'later', createdAt: '2026-03-02T00:00:00.000Z' },
          { name: 'earlier', createdAt: '2026-03-01T00:00:00.000Z' },
          { name: 'gone', tags: ['gone'] },
        );
        await world.ports.transaction.run(null, ({ products }) =>
          products.remove(storeId, gone?.id ?? '', '2026-03-03T00:00:00.000Z'),
        );
        expect(await names(storeId)).toEqual(['earlier', 'later']);
        expect(await names(storeId, { tag: 'gone' })).toEqual([]);
      });

      it('Each item has exactly the fields of a product in a list.', async () => {
        const storeId = await world.aStore();
        const [product] = await world.saved(storeId, aFullDocument(world.nextId()));
        expect((await list(storeId)).items).toEqual([
          {
            id: product?.id,
            name: 'Dovetail saw',
            slug: 'dovetail-saw',
            status: 'Active',
            kind: 'Physical',
            categoryId: product?.categoryId,
            categoryName: 'Saws',
            currency: 'EUR',
            minPrice: 58,
            maxPrice: 62.5,
            tags: ['saws'],
            thumbnailUrl: 'https://cdn.test/saw.jpg',
            thumbnailAlt: 'A saw',
            totalInventory: 8,
            variantCount: 2,
            updatedAt: '2026-02-01T00:00:00.000Z',
          },
        ]);
      });

      it('A page is exact although products are added, moved and deleted between two pages.', async () => {
        const random = seeded(20_261_122);
        const storeId = await world.aStore();
        const aDay = (): string => new Date(Date.UTC(2026, 0, 1 + random.below(60))).toISOString();
        const some = (count: number) => Array.from({ length: count }, () => ({ name: 'P', createdAt: aDay() }));
        // The latest days stand for what comes at the end, as most of what is new does.
        const live = new Map((await world.saved(storeId, ...some(120))).map(({ id, createdAt }) => [id, createdAt]));
        const save = async (...documents: Parameters<CatalogueWorld['saved']>[1][]) => {
          for (const { id, createdAt } of await world.saved(storeId, ...documents)) live.set(id, createdAt);
        };
        const anyId = (): string => random.pick([...live.keys()]);
        const CHANGES: readonly (() => Promise<unknown>)[] = [
          () => Promise.resolve(),
          () => save(...some(1)),
          () => save(...some(3)),
          () => save({ id: anyId(), name: 'edited' }),
          () => save({ id: anyId(), name: 'moved', createdAt: aDay() }),
          async () => {
            const id = anyId();
            live.delete(id);
            await world.ports.transaction.run(null, ({ products }) => products.remove(storeId, id, '2026-06-01T00:00:00.000Z'));
          },
          async () => {
            const work = world.ports.transaction.run(null, async ({ products }) => {
              await products.remove(storeId, anyId(), '2026-06-01T00:00:00.000Z');
              throw new Error('rolled back');
            });
            await expect(work).rejects.toThrow('rolled back');
          },
        ];
        let skip = 51;
        for (let step = 0; step < 400; step += 1) {
          await random.pick(CHANGES)();
          const take = 1 + random.below(8);
          const order = [...live].sort(([a, at], [b, bt]) => (at === bt ? (a < b ? -1 : 1) : at < bt ? -1 : 1)).map(([id]) => id);
          const page = await list(storeId, { skip, take });
          expect({ step, total: page.total, ids: page.items.map(({ id }) => id) }).toEqual({
            step,
            total: order.length,
            ids: order.slice(skip, skip + take),
          });
          skip = skip + take > order.length || random.chance(0.2) ? 51 + random.below(70) : skip + take;
        }
      });

      it('With `fields`, each item has only those, in their order in the list.', async () => {
        const storeId = await world.aStore();
        await world.saved(storeId, { name: 'a', tags: ['x'] }, { name: 'b' });
        const whole = await list(storeId);
        const fields = ['tags', 'name', 'minPrice'];
        const some = await list(storeId, { ...PAGE, fields });
        expect(some).toEqual({ ...whole, items: whole.items.map(({ name, minPrice, tags }) => ({ name, minPrice, tags })) });
        expect(Object.keys(some.items[0]!)).toEqual(Object.keys(whole.items[0]!).filter((name) => fields.includes(name)));
        expect(await list(storeId)).toEqual(whole);
      });

      describe('With `after`, the page begins behind that place, and the envelope has `next`, the place behind which the list continues, or null at its end.', () => {
        const FILTERS = [{}, { status: 'Draft' }, { q: 'saw' }, { q: 'saw', status: 'Draft' }, { ids: [] as string[] }];
        const walk = async (storeId: string, take: number, filter: object, between = async (): Promise<unknown> => null) => {
          const seen: unknown[] = [];
          let after: ProductPlace | null = null;
          for (;;) {
            const page: Envelope = await list(storeId, { skip: 0, take, after }, filter);
            seen.push(...page.items.map(({ name }) => name));
            expect(page).toMatchObject({ skip: 0, take, next: page.next });
            if (page.next == null) return seen;
            expect(page.items).toHaveLength(take);
            after = parsePlace(page.next);
            await between();
          }
        };
        it.each(FILTERS)('%j', async (filter) => {
          const storeId = await world.aStore();
          const wanted = Array.from({ length: 7 }, (_, n) => `Saw ${n}`);
          const saved = await world.saved(storeId, ...wanted.map((name) => ({ name })));
          const given = 'ids' in filter ? { ids: saved.map(({ id }) => id) } : filter;
          for (const take of [1, 3, 6, 7, 8]) expect(await walk(storeId, take, given)).toEqual(wanted);
          expect(await list(storeId, { skip: 2, take: 2, after: saved[1] }, given)).toMatchObject({
            items: [{ name: 'Saw 4' }, { name: 'Saw 5' }],
            total: 7,
          });
          expect(await list(storeId, { skip: 0, take: 2, after: saved[6] }, given)).toMatchObject({ items: [], next: null });
          expect(await list(storeId, { skip: 0, take: 2 }, given)).not.toHaveProperty('next');
        });
        it('also when products are deleted and changed meanwhile', async () => {
          const storeId = await world.aStore();
          const wanted = Array.from({ length: 9 }, (_, n) => `Saw ${n}`);
          const saved = await world.saved(storeId, ...wanted.map((name) => ({ name })));
          let removed = 0;
          const between = async (): Promise<void> => {
            const { id } = saved[removed]!;
            removed += 1;
            await world.ports.transaction.run(null, ({ products }) => products.remove(storeId, id, '2026-06-01T00:00:00.000Z'));
          };
          expect(await walk(storeId, 2, {}, between)).toEqual(wanted);
          expect(removed).toBe(4);
        });
        it('the tag changes with `next`, and with the fields', async () => {
          const storeId = await world.aStore();
          await world.saved(storeId, { name: 'a' }, { name: 'b' });
          const tagOf = async (page: ProductPage) => (await world.ports.productReader.list(storeId, page, {}))?.tag;
          const page = { skip: 0, take: 2 };
          const tags = [page, { ...page, after: null }, { ...page, fields: ['id'] }, { ...page, fields: ['name'] }];
          expect(new Set(await Promise.all(tags.map(tagOf))).size).toBe(4);
          const first = await tagOf({ skip: 0, take: 1, after: null });
          expect(await tagOf({ skip: 0, take: 1, after: null })).toBe(first);
        });
      });

      it('`total` counts all matching products, not only those of the page.', async () => {
        const storeId = await world.aStore();
        await world.saved(storeId, { name: 'a', tags: ['x'] }, { name: 'b', tags: ['x'] }, { name: 'c' });
        await world.saved(await world.aStore(), { name: 'd', tags: ['x'] });
        expect(await list(storeId, { skip: 1, take: 1 })).toMatchObject({ items: [{ name: 'b' }], skip: 1, take: 1, total: 3 });
        expect(await list(storeId, { skip: 5, take: 1 }, { tag: 'x' })).toEqual({ items: [], skip: 5, take: 1, total: 2 });
      });

      describe("`q` matches any part of the name or of a live variant's SKU, and ignores case.", () => {
        it('in Latin letters', async () => {
          const storeId = await world.aStore();
          await world.saved(
            storeId,
            { name: '100% wool' },
            { name: 'Back\\slash' },
            { name: 'Plain', variants: [{ sku: 'AB_1', currency: 'EUR' }] },
            { name: 'Other' },
          );
          expect(await names(storeId, { q: 'b_1' })).toEqual(['Plain']);
          expect(await names(storeId, { q: 'WOOL' })).toEqual(['100% wool']);
        });

        it('without the SKU of a deleted variant', async () => {
          const storeId = await world.aStore();
          const [product] = await world.saved(storeId, { name: 'Plane', variants: [{ sku: 'OLD-1', currency: 'EUR' }] });
          expect(await names(storeId, { q: 'old-1' })).toEqual(['Plane']);
          await world.saved(storeId, { id: product?.id, name: 'Plane', variants: [{ sku: 'NEW-1', currency: 'EUR' }] });
          expect(await names(storeId, { q: 'old-1' })).toEqual([]);
        });

        it('of one character or of many, in every alphabet', async () => {
          const storeId = await world.aStore();
          await world.saved(
            storeId,
            { name: 'Nhẫn BẠC', variants: [{ sku: 'NB-7', currency: 'EUR' }] },
            {
              name: 'Äpfel',
              variants: [
                { sku: 'X', currency: 'EUR' },
                { sku: 'ÜB-10', currency: 'EUR' },
              ],
            },
            { name: '日本語の本' },
          );
          expect(await names(storeId, { q: 'b' })).toEqual(['Nhẫn BẠC', 'Äpfel']);
          expect(await names(storeId, { q: '7' })).toEqual(['Nhẫn BẠC']);
          expect(await names(storeId, { q: 'NHẪN bạc' })).toEqual(['Nhẫn BẠC']);
          expect(await names(storeId, { q: 'äpFEL' })).toEqual(['Äpfel']);
          expect(await names(storeId, { q: 'üb-1' })).toEqual(['Äpfel']);
          expect(await names(storeId, { q: '本語' })).toEqual(['日本語の本']);
          expect(await names(storeId, { q: 'b'.repeat(255) })).toEqual([]);
        });
      });
      it('`%`, `_` and `\\` in `q` match themselves.', async () => {
        const storeId = await world.aStore();
        await world.saved(storeId, { name: '100% wool' }, { name: 'Back\\slash' }, { name: 'Under_score' }, { name: 'Other' });
        expect(await names(storeId, { q: '%' })).toEqual(['100% wool']);
        expect(await names(storeId, { q: '_' })).toEqual(['Under_score']);
        expect(await names(storeId, { q: '\\' })).toEqual(['Back\\slash']);
      });
      it('`q` never matches text that begins in one name or SKU and ends in another.', async () => {
        const storeId = await world.aStore();
        const skus = ['ONE', 'TWO'].map((sku) => ({ sku, currency: 'EUR' }));
        await world.saved(storeId, { name: 'Zero', variants: skus });
        for (const separator of ['', ' ', '\n', ',', '\u001f']) {
          expect(await names(storeId, { q: `one${separator}two` })).toEqual([]);
          expect(await names(storeId, { q: `zero${separator}one` })).toEqual([]);
        }
      });

      it('`q` matches the product as it is now.', async () => {
        const storeId = await world.aStore();
        const { transaction } = world.ports;
        const [saw, plane] = await world.saved(storeId, { name: 'Old saw' }, { name: 'Old plane' });
        const id = saw?.id ?? '';
        await transaction.run(null, async ({ bulkProducts }) => {
          const before = await bulkProducts.lock(storeId, [id, plane?.id ?? '']);
          const writes = before.map((product) => ({
            before: product,
            after: { ...product, ...(product.id === id ? { name: 'New saw' } : { metaTitle: 'T' }) },
          })) as unknown as Parameters<typeof bulkProducts.update>[1];
          await bulkProducts.update(storeId, writes, '2026-02-01T00:00:00.000Z');
        });
        expect(await names(storeId, { q: 'old' })).toEqual(['Old plane']);
        expect(await names(storeId, { q: 'NEW' })).toEqual(['New saw']);
        await world.saved(storeId, { id, name: 'New saw', createdAt: '2027-01-01T00:00:00.000Z' });
        expect(await names(storeId, { q: 'w' })).toEqual(['New saw']);
        expect(await names(storeId, { q: 'a' })).toEqual(['Old plane', 'New saw']);
        await transaction.run(null, ({ products }) => products.remove(storeId, id, '2026-06-01T00:00:00.000Z'));
        expect(await list(storeId, PAGE, { q: 'saw' })).toMatchObject({ items: [], total: 0 });
        await world.saved(storeId, { id, name: 'Saw again' });
        expect(await names(storeId, { q: 'saw' })).toEqual(['Saw again']);
      });

      describe('Returns only products that match every filter.', () => {
        it('`q` with other filters', async () => {
          const [storeId, other] = [await world.aStore(), await world.aStore()];
          await world.saved(other, { name: 'Saw elsewhere', tags: ['x'] });
          await world.saved(
            storeId,
            { name: 'Saw 1', tags: ['x'] },
            { name: 'Saw 2' },
            { name: 'Saw 3', tags: ['x'] },
            { name: 'Plane' },
          );
          expect(await names(storeId, { q: 'saw', tag: 'x' })).toEqual(['Saw 1', 'Saw 3']);
          expect(await names(storeId, { q: 'saw', status: 'Archived' })).toEqual([]);
          expect(await list(storeId, { skip: 1, take: 1 }, { q: 'saw' })).toMatchObject({ items: [{ name: 'Saw 2' }], total: 3 });
          expect(await list(storeId, { skip: 1, take: 1 }, { q: 'saw', tag: 'x' })).toMatchObject({
            items: [{ name: 'Saw 3' }],
            total: 2,
          });
        });

        it('ids, alone and with other filters', async () => {
          const storeId = await world.aStore();
          const saved = await world.saved(
            storeId,
            { name: 'Saw 1', tags: ['x'] },
            { name: 'Saw 2' },
            { name: 'Plane', tags: ['x'] },
          );
          const ids = [saved[2]?.id ?? '', saved[0]?.id ?? '', storeId];
          expect(await names(storeId, { ids })).toEqual(['Saw 1', 'Plane']);
          expect(await names(storeId, { ids, q: 'SAW' })).toEqual(['Saw 1']);
          expect(await names(storeId, { ids, q: 'lan', tag: 'x' })).toEqual(['Plane']);
          expect(await names(storeId, { ids, status: 'Archived' })).toEqual([]);
          expect(await list(storeId, { skip: 1, take: 1 }, { ids })).toMatchObject({ items: [{ name: 'Plane' }], total: 2 });
          expect(await names(await world.aStore(), { ids })).toEqual([]);
          expect(await names(storeId, { ids: [] })).toEqual([]);
        });

        it('status, kind, categoryId and updatedSince', async () => {
          const storeId = await world.aStore();
          const [first] = await world.saved(
            storeId,
            { name: 'a', status: 'Archived', category: { name: 'C' }, updatedAt: '2026-05-01T00:00:00.000Z' },
            { name: 'b', kind: 'Digital' },
          );
          expect(await names(storeId, { status: 'Archived' })).toEqual(['a']);
          expect(await names(storeId, { kind: 'Digital' })).toEqual(['b']);
          expect(await names(storeId, { categoryId: first?.categoryId })).toEqual(['a']);
          expect(await names(storeId, { updatedSince: '2026-05-01T00:00:00.000Z' })).toEqual(['a']);
        });
      });
      it('Returns null when the products that match `q` cannot be counted in the time that a search may take.', async () => {
        const storeId = await world.aStore();
        await world.saved(storeId, { name: 'Saw' });
        expect(await world.withSlowSearch((reader) => reader.list(storeId, PAGE, { q: 'saw' }))).toBeNull();
        expect(await names(storeId, { q: 'saw' })).toEqual(['Saw']);
      });
    });

    describe('documents', () => {
      const documents = async (storeId: string, ids: readonly string[], maxBytes = 1_000_000) =>
        world.ports.productReader.documents(storeId, ids, maxBytes);
      it("Returns the JSON of the store's live products with these ids, by id.", async () => {
        const [storeId, elsewhere] = [await world.aStore(), await world.aStore()];
        const [one, two] = [await world.saved(storeId, { name: 'One' }), await world.saved(storeId, { name: 'Two' })].flat();
        const ids = [one?.id ?? '', two?.id ?? '', world.nextId()];
        const found = await documents(storeId, ids);
        expect([...found.keys()].sort()).toEqual(ids.slice(0, 2).sort());
        const detail = await world.ports.productReader.detail(storeId, ids[0] ?? '');
        expect(JSON.parse(found.get(ids[0] ?? '') ?? '')).toEqual(contentOf(detail));
        expect(await documents(elsewhere, ids)).toEqual(new Map());
        await world.ports.transaction.run(null, ({ products }) =>
          products.remove(storeId, ids[0] ?? '', '2026-03-01T00:00:00.000Z'),
        );
        expect([...(await documents(storeId, ids)).keys()]).toEqual([ids[1]]);
      });
      it('Returns null for those that would make them more than `maxBytes` together.', async () => {
        const storeId = await world.aStore();
        const products = [await world.saved(storeId, { name: 'One' }), await world.saved(storeId, { name: 'Two' })].flat();
        const ids = products.map(({ id }) => id).sort();
        const length = Buffer.byteLength((await documents(storeId, ids)).get(ids[0] ?? '') ?? '');
        const found = await documents(storeId, ids, length);
        expect(ids.map((id) => found.get(id) === null)).toEqual([false, true]);
      });
    });

    describe('detail', () => {
      it('Returns the product with all of its parts, as it is now or as the looked-up version was.', async () => {
        const storeId = await world.aStore();
        const [product] = await world.saved(storeId, aFullDocument(world.nextId()));
        expect(contentOf(await world.ports.productReader.detail(storeId, product?.id ?? ''))).toEqual(product);
        expect(product?.category?.name).toBe('Saws');
      });
      it('Returns no bytes that the reader has.', async () => {
        const storeId = await world.aStore();
        const [product] = await world.saved(storeId, { name: 'Saw' });
        const read = (tag?: string) =>
          world.ports.productReader.detail(storeId, product?.id ?? '', { has: (other) => other === tag });
        const first = await read();
        expect(first?.bytes).not.toBeNull();
        expect(await read(first?.tag)).toEqual({ tag: first?.tag, bytes: null });
        await world.saved(storeId, { id: product?.id ?? '', name: 'Plane' });
        expect(contentOf(await read(first?.tag))).toMatchObject({ name: 'Plane' });
      });
      it('Returns null when the store has no live product with this id.', async () => {
        const storeId = await world.aStore();
        const [product] = await world.saved(storeId, { name: 'Saw' });
        const id = product?.id ?? '';
        expect(await world.ports.productReader.detail(await world.aStore(), id)).toBeNull();
        await world.ports.transaction.run(null, ({ products }) => products.remove(storeId, id, '2026-06-01T00:00:00.000Z'));
        expect(await world.ports.productReader.detail(storeId, id)).toBeNull();
      });
    });
  });
};
