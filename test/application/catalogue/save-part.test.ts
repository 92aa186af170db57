import { beforeEach, describe, expect, it } from 'vitest';

import type { FilePart } from '../../../src/application/catalogue/file-part.ts';
import { saveProducts, type SaveResult } from '../../../src/application/catalogue/save-products.ts';
import { nothingUnsaved } from '../../../src/application/catalogue/unsaved.ts';
import { ImportedLines } from '../../../src/domain/catalogue/imported-lines.ts';
import type { Product, ProductDocument } from '../../../src/domain/catalogue/product.ts';
import { refuse } from '../../../src/domain/result.ts';
import { createMemoryState, table, type MemoryState } from '../../memory/state.ts';
import { aroundTransaction } from '../../support/around-transaction.ts';
import { openMemoryPorts } from '../../support/memory-ports.ts';

const STORE = 'store';
const [X, Y] = ['00000000-0000-7000-8000-ffffffffff01', '00000000-0000-7000-8000-ffffffffff02'];
const SAWS = { id: '00000000-0000-7000-8000-0000000000c1', name: 'Saws' };
const STANDARD = { id: '00000000-0000-7000-8000-0000000000d1', name: 'Standard', code: 'std' };

let state: MemoryState;
let ports: ReturnType<typeof openMemoryPorts>;

const fileOf = (isDryRun = false): FilePart['file'] => ({
  imported: new ImportedLines(),
  renamed: new Set(),
  unsaved: isDryRun ? nothingUnsaved() : undefined,
});
/** Saves a part of the file that begins at this line. */
const savePart = (file: FilePart['file'], line: number, ...documents: ProductDocument[]): Promise<SaveResult[]> =>
  saveProducts(ports)(null, STORE, documents, { file, lines: documents.map((_, at) => line + at) });
const stored = (): Product[] => [...table<Product>(state, 'products').values()];

beforeEach(() => {
  state = createMemoryState();
  ports = openMemoryPorts({}, state);
});

describe('a part of a file', () => {
  it.each<[string, ProductDocument, ProductDocument, string]>([
    ['its slug', { name: 'Saw', slug: 'saw' }, { name: 'Saw', slug: 'saw' }, 'slug saw is already used in line 7 of this file.'],
    ['its id', { id: X, name: 'Saw' }, { id: X, name: 'Saw' }, `Product ${X} is already in line 7 of this file.`],
  ])('refuses a product that an earlier part has by %s, and names its line', async (_, first, again, message) => {
    const file = fileOf();
    expect(await savePart(file, 6, { name: '' }, first)).toMatchObject([{ ok: false }, { ok: true }]);
    expect(await savePart(file, 20, again)).toEqual([refuse('invalid', message)]);
  });

  it('takes a product that failed in an earlier part', async () => {
    const file = fileOf();
    expect(await savePart(file, 1, { id: X, name: '' })).toMatchObject([{ ok: false }]);
    expect(await savePart(file, 2, { id: X, name: 'Saw' })).toMatchObject([{ value: { outcome: 'created' } }]);
  });

  it('does not mean a product by its former slug after an earlier part has named the product', async () => {
    for (const slug of ['old', 'now']) await saveProducts(ports)(null, STORE, [{ id: X, name: 'Saw', slug }]);
    const file = fileOf();
    expect(await savePart(file, 1, { name: 'Saw', slug: 'now' })).toMatchObject([{ value: { outcome: 'unchanged' } }]);
    expect(await savePart(file, 2, { name: 'Other', slug: 'old' })).toMatchObject([
      { value: { outcome: 'created', product: { name: 'Other', slug: 'old' } } },
    ]);
    expect(stored().map(({ slug }) => slug)).toEqual(['now', 'old']);
  });

  // New products are inserted while the next ones are decided. Others have to be compared with what is stored.
  it.each<[string, ProductDocument[], 'file' | 'put', string[]]>([
    ['whose products are all new, inserts them', [{ name: 'A' }, { name: 'B' }], 'file', ['insert']],
    ['with one that the store has, saves them', [{ name: 'A' }, { id: X, name: 'New' }], 'file', ['save']],
    ['that brings a category, saves it before its products', [{ name: 'A', category: SAWS }], 'file', ['save']],
    ['that is not a file, saves new products too', [{ name: 'A' }], 'put', ['save']],
  ])('%s', async (_, documents, kind, written) => {
    await saveProducts(ports)(null, STORE, [{ id: X, name: 'Saw' }]);
    const calls: string[] = [];
    const transaction = aroundTransaction(ports.transaction, (run, work) =>
      run(({ products, ...tx }) =>
        work({
          ...tx,
          products: {
            ...products,
            insert: (...given) => (calls.push('insert'), products.insert(...given)),
            save: (...given) => (calls.push('save'), products.save(...given)),
          },
        }),
      ),
    );
    const part = kind === 'file' ? { file: fileOf(), lines: documents.map((_document, at) => at + 1) } : undefined;
    const results = await saveProducts({ ...ports, transaction })(null, STORE, documents, part);
    expect(results.map(({ ok }) => ok)).toEqual(documents.map(() => true));
    // A transaction of the tests may run twice.
    expect([...new Set(calls)]).toEqual(written);
    expect(stored()).toHaveLength(documents.some(({ id }) => id === X) ? 2 : documents.length + 1);
  });
});

describe('a part of a dry run', () => {
  it('writes nothing, also into an empty store', async () => {
    expect(await savePart(fileOf(true), 1, { name: 'Saw', slug: 'saw' })).toMatchObject([{ value: { outcome: 'created' } }]);
    expect(stored()).toEqual([]);
    expect(table(state, 'events').size).toBe(0);
  });

  it.each<[string, ProductDocument, ProductDocument, object]>([
    [
      'a slug that it took stays taken',
      { id: X, name: 'Saw', slug: 'saw' },
      { id: Y, name: 'Plane', slug: 'saw' },
      refuse('invalid', 'slug saw is already used in line 1 of this file.'),
    ],
    [
      'a slug that it gave up is free',
      { id: X, name: 'Saw', slug: 'new' },
      { id: Y, name: 'Plane', slug: 'kept' },
      { value: { outcome: 'created', product: { slug: 'kept' } } },
    ],
    [
      'a category that it brought is known',
      { name: 'Saw', category: SAWS },
      { id: Y, name: 'Plane', categoryId: SAWS.id },
      { value: { product: { category: { id: SAWS.id, name: 'Saws' } } } },
    ],
    [
      'a tax class that it brought is known',
      { name: 'Saw', taxClass: STANDARD },
      { id: Y, name: 'Plane', taxClassId: STANDARD.id },
      { value: { product: { taxClass: { id: STANDARD.id, code: 'std' } } } },
    ],
  ])('is decided as if the earlier part were stored: %s', async (_, first, next, result) => {
    await saveProducts(ports)(null, STORE, [{ id: X, name: 'Saw', slug: 'kept' }]);
    const file = fileOf(true);
    expect(await savePart(file, 1, first)).toMatchObject([{ ok: true }]);
    expect(await savePart(file, 2, next)).toMatchObject([result]);
    expect(stored().map(({ slug }) => slug)).toEqual(['kept']);
  });
});
