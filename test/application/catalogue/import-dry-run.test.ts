import { beforeEach, describe, expect, it } from 'vitest';

import { exportProducts } from '../../../src/application/catalogue/export-products.ts';
import { importProducts } from '../../../src/application/catalogue/import-products.ts';
import { saveProducts } from '../../../src/application/catalogue/save-products.ts';
import type { ImportItem, ImportReport } from '../../../src/domain/catalogue/product-import.ts';
import type { ProductDocument } from '../../../src/domain/catalogue/product.ts';
import { openMemoryPorts } from '../../support/memory-ports.ts';
import { allOf } from '../../support/all-of.ts';

const STORE = '00000000-0000-7000-8000-00000000000a';
const SAW = '00000000-0000-7000-8000-000000000001';
const ACTIVE = { status: 'Active' as const, variants: [{ sku: 'A', currency: 'EUR', price: 1 }] };
const CATEGORY = { id: '00000000-0000-7000-8000-0000000000c1', name: 'Tools' };

let ports: ReturnType<typeof openMemoryPorts>;

const importAll = async (documents: readonly ProductDocument[], isDryRun = false): Promise<ImportReport> => {
  const items = async function* (): AsyncGenerator<ImportItem> {
    for (const [index, document] of documents.entries()) yield await Promise.resolve({ line: index + 1, document });
  };
  return importProducts(saveProducts(ports))(null, STORE, items(), { isDryRun });
};
const exported = (): Promise<readonly ProductDocument[]> => allOf(exportProducts(ports)(STORE));
/** More than a batch, so that what is after them is decided in another transaction. */
const between = Array.from({ length: 299 }, (_, n) => ({ name: `Product ${String(n)}`, slug: `product-${String(n)}` }));

beforeEach(async () => {
  ports = openMemoryPorts();
  await ports.stores.create({ id: STORE, domain: 'one.example', name: 'Store', currency: 'EUR' });
  await importAll([
    { id: SAW, name: 'Saw', slug: 'saw', ...ACTIVE },
    { name: 'Plane', slug: 'plane' },
  ]);
});

describe('a dry run of an import', () => {
  it('writes nothing, also no event', async () => {
    const before = await exported();
    const fannedOut = await ports.deliveries.fanOut(STORE, 100);
    expect(fannedOut.events).toBeGreaterThan(0);
    await importAll(
      [
        { id: SAW, name: 'New name' },
        { name: 'Chisel', slug: 'chisel', category: CATEGORY },
      ],
      true,
    );
    expect(await exported()).toEqual(before);
    expect((await ports.deliveries.fanOut(STORE, 100)).events).toBe(0);
  });

  it('counts what would be created, updated, left unchanged, and what would fail', async () => {
    const file = [
      { name: 'Saw', slug: 'saw', ...ACTIVE },
      { name: 'Jack plane', slug: 'plane' },
      { name: 'Chisel', slug: 'chisel' },
      { name: '', slug: 'gouge' },
    ];
    expect(await importAll(file, true)).toMatchObject({ read: 4, created: 1, updated: 1, unchanged: 1, failed: 1 });
  });

  const files: Readonly<Record<string, readonly ProductDocument[]>> = {
    'a product appears twice': [{ name: 'Chisel', slug: 'chisel' }, ...between, { name: 'Chisel', slug: 'chisel' }],
    'an earlier line takes the slug of another product': [
      { id: SAW, name: 'Saw', slug: 'rip-saw' },
      ...between,
      { id: '00000000-0000-7000-8000-000000000002', name: 'Rip saw', slug: 'rip-saw' },
    ],
    'an earlier line gives a slug up': [{ id: SAW, name: 'Saw', slug: 'rip-saw' }, ...between, { name: 'Saw', slug: 'saw' }],
    'an earlier line brings the category that a later one names': [
      { name: 'Chisel', slug: 'chisel', category: CATEGORY },
      ...between,
      { name: 'Gouge', slug: 'gouge', categoryId: CATEGORY.id },
    ],
    'a category is unknown': [...between, { name: 'Gouge', slug: 'gouge', categoryId: CATEGORY.id }],
    'slugs are made from names': [
      { name: 'Awl', ...ACTIVE },
      ...between,
      { name: 'Awl', ...ACTIVE },
      { name: 'Awl 2', slug: 'awl-2' },
    ],
  };
  it.each(Object.keys(files))('reports what the import then reports, when %s', async (name) => {
    const file = files[name] ?? [];
    const report = await importAll(file, true);
    expect(report.created).toBeGreaterThan(298);
    expect(report).toEqual(await importAll(file));
  });
});
