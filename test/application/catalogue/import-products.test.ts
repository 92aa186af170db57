import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';

import { createMemoryPorts } from '../../memory/index.ts';
import { createStore } from '../../../src/application/identity/store-changes.ts';
import { exportProducts } from '../../../src/application/catalogue/export-products.ts';
import { importProducts } from '../../../src/application/catalogue/import-products.ts';
import { saveProducts } from '../../../src/application/catalogue/save-products.ts';
import { refuse } from '../../../src/domain/result.ts';
import {
  NO_COUNTS,
  type FoundProduct,
  type ImportItem,
  type ImportProgress,
} from '../../../src/domain/catalogue/product-import.ts';
import type { ProductDocument } from '../../../src/domain/catalogue/product.ts';
import { manualClock } from '../../memory/clock.ts';
import { sequentialIds } from '../../memory/ids.ts';
import { judgedTransactions } from '../../support/judged-transactions.ts';
import { allOf } from '../../support/all-of.ts';

const open = async () => {
  const clock = manualClock();
  const ids = sequentialIds();
  const ports = { ...judgedTransactions(createMemoryPorts({ clock, ids, idempotencyTtlSeconds: 60 })), clock, ids };
  const newStore = async (domain: string): Promise<string> => {
    const store = await createStore(ports, null)({ domain });
    if (!store.ok) throw new Error(store.message);
    return store.value.id;
  };
  const exportAll = exportProducts(ports);
  const exported = (storeId: string): Promise<ProductDocument[]> => allOf(exportAll(storeId));
  const save = saveProducts(ports);
  const batches: number[] = [];
  const importAll = importProducts(async (cause, id, documents, part) => {
    batches.push(documents.length);
    return save(cause, id, documents, part);
  });
  return { importAll, exported, newStore, batches, storeId: await newStore('one.example') };
};

const items = async function* (...all: ImportItem[]): AsyncGenerator<ImportItem> {
  for (const item of all) yield await Promise.resolve(item);
};

/** An id that no record has yet. */
const FREE = '00000000-0000-7000-8000-ffffffffff09';

const product = (n: number, more: Partial<ProductDocument> = {}): ProductDocument => ({
  name: `Product ${n}`,
  slug: `product-${n}`,
  ...more,
});
const many = (count: number): FoundProduct[] => Array.from({ length: count }, (_, n) => ({ line: n + 1, document: product(n) }));

describe('importProducts', () => {
  it('an invalid row is reported with its line and skipped, the rest is imported', async () => {
    const { importAll, exported, storeId } = await open();
    const report = await importAll(
      null,
      storeId,
      items(
        { line: 1, document: product(1) },
        { line: 2, message: 'no JSON' },
        { line: 3, document: product(3, { name: '' }) },
        { line: 4, document: product(4) },
      ),
    );
    expect(report).toMatchObject({
      read: 4,
      created: 2,
      updated: 0,
      failed: 2,
      errors: [{ line: 2, message: 'no JSON' }, { line: 3 }],
    });
    expect((await exported(storeId)).map(({ slug }) => slug)).toEqual(['product-1', 'product-4']);
  });

  it('an existing product counts as updated, or as unchanged when the file has it as it is', async () => {
    const { importAll, storeId } = await open();
    await importAll(null, storeId, items(...many(2)));
    const renamed = { line: 4, document: product(0, { name: 'Renamed' }) };
    expect(await importAll(null, storeId, items(renamed, ...many(3).slice(1)))).toEqual(
      expect.objectContaining({ read: 3, created: 1, updated: 1, unchanged: 1, failed: 0 }),
    );
  });

  it('saves in batches of at most 250 products', async () => {
    const { importAll, storeId, batches } = await open();
    expect(await importAll(null, storeId, items(...many(501)))).toMatchObject({ created: 501 });
    expect(batches).toEqual([250, 250, 1]);
  });

  it('reads the next batch while one is saved, from when its documents are decided', async () => {
    let end = (): void => undefined;
    const readAll = new Promise<void>((resolve) => (end = resolve));
    const source = async function* (): AsyncGenerator<ImportItem> {
      yield* items(...many(251));
      end();
    };
    const importAll = importProducts(async (_cause, _storeId, documents, part) => {
      part?.onDecided?.();
      await readAll;
      return documents.map(() => refuse('invalid', 'Not now.'));
    });
    expect(await importAll(null, 'store', source())).toMatchObject({ read: 251, failed: 251 });
  });

  it('a failed save is reported at once, while the source still waits', async () => {
    const stalling = async function* (): AsyncGenerator<ImportItem> {
      yield* items(...many(250));
      await new Promise(() => undefined);
    };
    const importAll = importProducts(() => Promise.reject(new Error('no database')));
    await expect(importAll(null, 'store', stalling())).rejects.toThrow('no database');
  });

  it('the source is closed when a save fails', async () => {
    const closed: string[] = [];
    const source = async function* (): AsyncGenerator<ImportItem> {
      try {
        yield* items(...many(501));
      } finally {
        closed.push('source');
      }
    };
    const importAll = importProducts(() => Promise.reject(new Error('no database')));
    await expect(importAll(null, 'store', source())).rejects.toThrow('no database');
    // The reader reaches the end of its read-ahead first.
    for (let turns = 0; turns < 100 && closed.length === 0; turns += 1) await turn();
    expect(closed).toEqual(['source']);
  });

  it('reports its progress after every batch, and nothing for an empty file', async () => {
    const { importAll, storeId } = await open();
    const progress: ImportProgress[] = [];
    const onProgress = (counts: ImportProgress) => void progress.push(counts);
    const file = [...many(250), { line: 251, message: 'bad' }, { line: 252, document: product(1, { id: FREE }) }];
    const report = await importAll(null, storeId, items(...file), { onProgress });
    expect(progress).toEqual([
      { ...NO_COUNTS, read: 250, created: 250, nextLine: 251 },
      { ...NO_COUNTS, read: 252, created: 250, failed: 2, nextLine: 253 },
    ]);
    expect(report).toEqual({
      ...progress[1],
      ended: 'complete',
      nextLine: null,
      wouldRemove: null,
      errors: [
        { line: 251, message: 'bad' },
        { line: 252, message: 'slug product-1 is already used in line 2 of this file.' },
      ],
      notes: [],
    });
    expect(await importAll(null, storeId, items(), { onProgress })).toEqual({
      ...NO_COUNTS,
      ended: 'complete',
      nextLine: null,
      wouldRemove: null,
      errors: [],
      notes: [],
    });
    expect(progress).toHaveLength(2);
  });

  it('a product that cannot be written is reported with its line', async () => {
    const { importAll, exported, storeId } = await open();
    const variants = [{ id: FREE, sku: 'S', currency: 'EUR' }];
    await importAll(null, storeId, items({ line: 1, document: product(1, { variants }) }));
    const file = [
      { line: 1, document: product(2, { variants }) },
      { line: 2, document: product(3) },
    ];
    expect(await importAll(null, storeId, items(...file))).toMatchObject({
      created: 1,
      failed: 1,
      errors: [{ line: 1, message: 'id: another record of the store has it' }],
    });
    expect((await exported(storeId)).map(({ slug }) => slug).sort()).toEqual(['product-1', 'product-3']);
  });

  it('large documents make smaller batches', async () => {
    const { importAll, storeId, batches } = await open();
    await importAll(null, storeId, items(...many(5).map((item) => ({ ...item, size: 4 * 1024 * 1024 }))));
    expect(batches).toEqual([2, 2, 1]);
  });

  it('the first 1,000 errors are reported; failed stays exact', async () => {
    const { importAll, storeId } = await open();
    const report = await importAll(
      null,
      storeId,
      items(...Array.from({ length: 1_203 }, (_, n) => ({ line: n + 1, message: 'bad' }))),
    );
    expect(report).toMatchObject({ read: 1_203, failed: 1_203 });
    expect(report.errors).toHaveLength(1_000);
  });

  it('notes on the file come before those on its products', async () => {
    const { importAll, storeId } = await open();
    const noted = many(1).map((item) => ({ ...item, notes: Array.from({ length: 1_000 }, () => ({ line: 1, message: 'one' })) }));
    const { notes } = await importAll(null, storeId, items(...noted, { about: { line: 1, message: 'the file' } }));
    expect(notes).toHaveLength(1_000);
    expect(notes.slice(0, 2).map(({ message }) => message)).toEqual(['the file', 'one']);
  });

  it('the first 1,000 notes of saved products are reported', async () => {
    const { importAll, storeId } = await open();
    const noted = many(501).map((item) => ({
      ...item,
      notes: [
        { line: item.line, message: 'one' },
        { line: item.line, message: 'two' },
      ],
    }));
    const failing = { line: 9, document: product(9, { name: '' }), notes: [{ line: 9, message: 'not saved' }] };
    const { notes } = await importAll(null, storeId, items(failing, ...noted));
    expect(notes).toHaveLength(1_000);
    expect(notes.slice(0, 2)).toEqual([
      { line: 1, message: 'one' },
      { line: 1, message: 'two' },
    ]);
  });

  const moved = async (to: string) => {
    const world = await open();
    await world.importAll(null, world.storeId, items({ line: 1, document: product(1) }));
    const [before] = await world.exported(world.storeId);
    await world.importAll(null, world.storeId, items({ line: 1, document: { ...product(1), id: before?.id, slug: to } }));
    return { ...world, id: before?.id };
  };

  it('a product whose slug changed since is found by the slug it gave up', async () => {
    const { importAll, exported, storeId, id } = await moved('renamed');
    expect(await importAll(null, storeId, items(...many(2)))).toMatchObject({ created: 1, updated: 1, failed: 0 });
    expect((await exported(storeId)).map(({ slug }) => slug).sort()).toEqual(['product-0', 'product-1']);
    expect((await exported(storeId)).find(({ slug }) => slug === 'product-1')?.id).toBe(id);
    expect(await importAll(null, storeId, items(...many(2)))).toMatchObject({ created: 0, unchanged: 2 });
  });

  // 250 is a batch: with 299 documents between, the two are in different ones.
  it.each([
    ['next to each other', 0],
    ['300 lines apart', 299],
  ])('a file that has both the slug and the one given up makes two products: %s', async (_, between) => {
    const rest = many(between + 2).slice(2);
    const [former, holder] = [
      { line: 1, document: product(1) },
      { line: 2, document: product(0, { slug: 'renamed' }) },
    ];
    for (const [first, last] of [
      [former, holder],
      [holder, former],
    ] as const) {
      const { importAll, exported, storeId } = await moved('renamed');
      expect(await importAll(null, storeId, items(first, ...rest, last))).toMatchObject({
        created: between + 1,
        updated: 1,
        failed: 0,
      });
      const names = new Map((await exported(storeId)).map(({ slug, name }) => [slug, name]));
      expect([names.get('product-1'), names.get('renamed')]).toEqual(['Product 1', 'Product 0']);
    }
  });

  describe('within one file each product comes once', () => {
    const X = '00000000-0000-7000-8000-ffffffffff01';
    const Y = '00000000-0000-7000-8000-ffffffffff02';
    const saw = (name: string, more: Partial<ProductDocument> = {}): ProductDocument => ({ name, ...more });
    const inUse = (line: number): string => `slug nhan-1 is already used in line ${line} of this file.`;
    const isThere = `Product ${X} is already in line 1 of this file.`;

    // 250 is a batch: with 299 documents between, the two are in different ones.
    describe.each([
      ['next to each other', 0],
      ['300 lines apart', 299],
    ])('%s', (_, between) => {
      it.each<[string, ProductDocument, ProductDocument, string]>([
        ['slugs that fold to one', saw('First', { slug: 'nhẫn-1' }), saw('Second', { slug: 'nhan-1' }), inUse(1)],
        ['a slug, then one that folds to it', saw('First', { slug: 'nhan-1' }), saw('Second', { slug: 'nhẫn-1' }), inUse(1)],
        ['one slug', saw('First', { slug: 'nhan-1' }), saw('Second', { slug: 'nhan-1' }), inUse(1)],
        ['one id', saw('First', { id: X }), saw('Second', { id: X, slug: 'other' }), isThere],
        ['an id, then its slug', saw('First', { id: X, slug: 'nhan-1' }), saw('Second', { slug: 'nhan-1' }), inUse(1)],
        ['two ids with one slug', saw('First', { id: X, slug: 'nhan-1' }), saw('Second', { id: Y, slug: 'nhan-1' }), inUse(1)],
        ['a slug, then an id with it', saw('First', { slug: 'nhan-1' }), saw('Second', { id: Y, slug: 'nhan-1' }), inUse(1)],
        [
          'a slug derived from a name, then the slug',
          saw('Nhẫn 1', { status: 'Active', variants: [{ sku: 'S', currency: 'EUR' }] }),
          saw('Second', { slug: 'nhan-1' }),
          inUse(1),
        ],
      ])('%s: the later line fails and names the earlier one', async (_title, first, second, message) => {
        const { importAll, exported, storeId } = await open();
        const last = between + 2;
        const file = [{ line: 1, document: first }, ...many(between + 1).slice(1), { line: last, document: second }];
        expect(await importAll(null, storeId, items(...file))).toMatchObject({
          created: between + 1,
          updated: 0,
          failed: 1,
          errors: [{ line: last, message }],
        });
        expect((await exported(storeId)).map(({ name }) => name)).not.toContain('Second');
        if (first.slug === undefined && first.id === undefined) return;
        // The next file is another one.
        expect(await importAll(null, storeId, items(...file))).toMatchObject({ created: 0, unchanged: between + 1, failed: 1 });
      });

      it('a product that the store has, named by its slug and then by its id', async () => {
        const { importAll, exported, storeId } = await open();
        await importAll(null, storeId, items({ line: 1, document: saw('Old', { id: X, slug: 'nhan-1' }) }));
        const file = [
          { line: 1, document: saw('First', { slug: 'nhan-1' }) },
          ...many(between + 1).slice(1),
          { line: 999, document: saw('Second', { id: X, slug: 'else' }) },
        ];
        expect(await importAll(null, storeId, items(...file))).toMatchObject({
          failed: 1,
          errors: [{ line: 999, message: isThere }],
        });
        expect((await exported(storeId)).find(({ id }) => id === X)).toMatchObject({ name: 'First', slug: 'nhan-1' });
      });

      it('a line that failed takes no slug: a later one of the same slug is imported', async () => {
        const { importAll, exported, storeId } = await open();
        const bad = { line: 1, document: saw('Bad', { slug: 'nhan-1', metaTitle: 'x'.repeat(256) }) };
        const good = { line: 999, document: saw('Good', { slug: 'nhan-1' }) };
        expect(await importAll(null, storeId, items(bad, ...many(between + 1).slice(1), good))).toMatchObject({
          failed: 1,
          errors: [{ line: 1 }],
        });
        expect((await exported(storeId)).find(({ slug }) => slug === 'nhan-1')).toMatchObject({ name: 'Good' });
      });
    });

    it('slugs derived from equal names do not clash', async () => {
      const { importAll, storeId } = await open();
      const active = saw('Saw', { status: 'Active', variants: [{ sku: 'S', currency: 'EUR' }] });
      expect(await importAll(null, storeId, items({ line: 1, document: active }, { line: 2, document: active }))).toMatchObject({
        created: 2,
        failed: 0,
      });
    });
  });

  it('an Active product without a variant is reported with its line', async () => {
    const { importAll, storeId } = await open();
    expect(await importAll(null, storeId, items({ line: 7, document: product(1, { status: 'Active' }) }))).toMatchObject({
      created: 0,
      failed: 1,
      errors: [{ line: 7, message: 'An Active product must have a variant.' }],
    });
  });

  it('what was saved before the file breaks off stays', async () => {
    const { importAll, exported, storeId } = await open();
    const broken = async function* (): AsyncGenerator<ImportItem> {
      yield* items(...many(250));
      throw new Error('the upload was cut');
    };
    await expect(importAll(null, storeId, broken())).rejects.toThrow('the upload was cut');
    expect(await exported(storeId)).toHaveLength(250);
  });
});

describe('exportProducts', () => {
  it('tells more products than one page, each once', async () => {
    const { importAll, exported, storeId } = await open();
    await importAll(null, storeId, items(...many(120)));
    expect(new Set((await exported(storeId)).map(({ slug }) => slug)).size).toBe(120);
  });

  it('carries what is needed to make categories with their parents and the tax class again in another store', async () => {
    const { importAll, exported, newStore, storeId } = await open();
    const document = product(1, {
      category: { name: 'Saws', parent: { name: 'Tools' } },
      productCategories: [{ category: { name: 'Gifts' } }],
      taxClass: { name: 'Standard', code: 'standard' },
    });
    expect(await importAll(null, storeId, items({ line: 1, document }))).toMatchObject({ created: 1 });
    const [first] = await exported(storeId);
    expect(first).toMatchObject({
      category: { name: 'Saws', parent: { name: 'Tools', parent: null } },
      taxClass: { code: 'standard' },
    });
    const other = await newStore('two.example');
    expect(await importAll(null, other, items({ line: 1, document: first ?? document }))).toMatchObject({
      created: 1,
      failed: 0,
    });
    expect((await exported(other))[0]).toMatchObject({
      id: first?.id,
      tenantId: other,
      category: { id: first?.categoryId, parent: { name: 'Tools' } },
      productCategories: [{ category: { name: 'Gifts' } }],
    });
  });
});

describe('a file that is not read to its end', () => {
  const bad = function* (count: number): Generator<ImportItem> {
    for (let n = 0; n < count; n += 1) yield { line: n + 1, message: 'bad' };
  };

  it('a refused file is reported as such, with the reason first', async () => {
    const { importAll, storeId } = await open();
    const report = await importAll(null, storeId, items({ line: 1, message: 'No columns.', refusesFile: true }));
    const counts = { ...NO_COUNTS, read: 1, failed: 1 };
    expect(report).toEqual({
      ...{ ...counts, ended: 'refused', nextLine: null, wouldRemove: null, notes: [] },
      errors: [{ line: 1, message: 'No columns.' }],
    });
  });

  it('25,000 items in a row that fail refuse it, and the source is not read further', async () => {
    const { importAll, storeId } = await open();
    let given = 0;
    const endless = async function* (): AsyncGenerator<ImportItem> {
      for (const item of bad(Infinity)) {
        given += 1;
        yield await Promise.resolve(item);
      }
    };
    const report = await importAll(null, storeId, endless());
    expect(report).toMatchObject({ ended: 'refused', nextLine: null, read: 25_001, failed: 25_001, created: 0 });
    expect(report.errors[0]?.message).toMatch(/^Nothing before line 25001 can be imported/);
    expect(report.errors).toHaveLength(1_000);
    expect(given).toBeLessThan(26_000);
  });

  it('one product is enough to read all of it', async () => {
    const { importAll, storeId } = await open();
    const file = items(...bad(24_999), { line: 25_000, document: product(1) }, ...bad(25_001));
    expect(await importAll(null, storeId, file)).toMatchObject({ ended: 'complete', read: 50_001, created: 1, failed: 50_000 });
  });

  it('a stop ends it after the batch that is saved, though the source still waits, and says where to continue', async () => {
    const { importAll, exported, storeId } = await open();
    const stopping = new AbortController();
    const stalling = async function* (): AsyncGenerator<ImportItem> {
      yield* items(...many(300));
      await new Promise(() => undefined);
    };
    const report = await importAll(null, storeId, stalling(), {
      onProgress: () => stopping.abort(),
      stopping: stopping.signal,
    });
    expect(report).toMatchObject({ ended: 'stopped', nextLine: 251, read: 251, created: 250, failed: 1 });
    expect(report.errors).toEqual([
      { line: 251, message: expect.stringMatching(/^The server stopped\. What comes before line 251 is done/) as string },
    ]);
    expect(await exported(storeId)).toHaveLength(250);
    // A second import of the file imports the rest.
    expect(await importAll(null, storeId, items(...many(300)))).toMatchObject({ created: 50, unchanged: 250, failed: 0 });
  });

  it('the end of the access of who sends it ends it before the next batch is saved, and says where to continue', async () => {
    const { importAll, exported, storeId } = await open();
    const ended = new AbortController();
    let asked = 0;
    const isAllowed = () => {
      asked += 1;
      if (asked > 1) ended.abort();
      return Promise.resolve(asked === 1);
    };
    const report = await importAll(null, storeId, items(...many(600)), { access: { isAllowed, ended: ended.signal } });
    expect(report).toMatchObject({ ended: 'stopped', nextLine: 251, read: 251, created: 250, failed: 1 });
    expect(report.errors).toEqual([
      {
        line: 251,
        message: expect.stringMatching(/^Your access to the store ended\. What comes before line 251 is done/) as string,
      },
    ]);
    expect([asked, (await exported(storeId)).length]).toEqual([2, 250]);
  });

  it('the end of the access ends it also while the source waits', async () => {
    const { importAll, storeId } = await open();
    const ended = new AbortController();
    const stalling = async function* (): AsyncGenerator<ImportItem> {
      yield* items(...many(3));
      ended.abort();
      await new Promise(() => undefined);
    };
    const access = { isAllowed: () => Promise.resolve(!ended.signal.aborted), ended: ended.signal };
    const report = await importAll(null, storeId, stalling(), { access, stopping: new AbortController().signal });
    expect(report).toMatchObject({ ended: 'stopped', nextLine: 1, created: 0, failed: 1 });
    expect(report.errors[0]?.message).toMatch(/^Your access to the store ended/);
  });

  it('a stop while the first batch is still on its way imports nothing', async () => {
    const { importAll, storeId } = await open();
    const stopping = new AbortController();
    const stalling = async function* (): AsyncGenerator<ImportItem> {
      yield* items(...many(3));
      stopping.abort();
      await new Promise(() => undefined);
    };
    const report = await importAll(null, storeId, stalling(), { stopping: stopping.signal });
    expect(report).toMatchObject({ ended: 'stopped', nextLine: 1, created: 0, failed: 1 });
  });

  it('what an item does not cover is the line to continue from', async () => {
    const { importAll, storeId } = await open();
    const stopping = new AbortController();
    const stalling = async function* (): AsyncGenerator<ImportItem> {
      yield* items(...many(249), { line: 900, nextLine: 870, message: 'a bad row of a product that begins in line 870' });
      await new Promise(() => undefined);
    };
    const report = await importAll(null, storeId, stalling(), { onProgress: () => stopping.abort(), stopping: stopping.signal });
    expect(report).toMatchObject({ ended: 'stopped', nextLine: 870 });
  });
});
