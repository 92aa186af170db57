import { createReadStream, existsSync } from 'node:fs';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { demoCatalogue } from '../../src/adapters/demo/catalogue.ts';
import { readDocument } from '../../src/adapters/http/catalogue/product-imports.ts';
import { readNdjson } from '../../src/adapters/http/import/ndjson.ts';
import { readShopifyCsv } from '../../src/adapters/http/import/shopify-csv.ts';
import { createPrismaPorts } from '../../src/adapters/prisma/ports.ts';
import { createStore } from '../../src/application/identity/store-changes.ts';
import { putCategory, putTaxClass } from '../../src/application/catalogue/taxonomy.ts';
import { exportProducts } from '../../src/application/catalogue/export-products.ts';
import { importProducts } from '../../src/application/catalogue/import-products.ts';
import { saveProducts } from '../../src/application/catalogue/save-products.ts';
import type { ImportItem } from '../../src/domain/catalogue/product-import.ts';
import type { ProductDocument } from '../../src/domain/catalogue/product.ts';
import { manualClock } from '../memory/clock.ts';
import { sequentialIds } from '../memory/ids.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { allOf } from '../support/all-of.ts';

const FILE = '../shared/data/sunrise-products.csv';

let database: TestDatabase;
const clock = manualClock();
const ids = sequentialIds();
const options = { clock, ids, idempotencyTtlSeconds: 86_400 };
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const useCases = () => {
  const ports = { ...createPrismaPorts(database, options), clock, ids };
  const save = saveProducts(ports);
  return {
    save,
    importProducts: importProducts(save),
    exportProducts: exportProducts(ports),
    putCategory: putCategory(ports),
    putTaxClass: putTaxClass(ports),
    newStore: async (domain: string): Promise<string> => {
      const store = await createStore(ports, null)({ domain, currency: 'EUR' });
      if (!store.ok) throw new Error(store.message);
      return store.value.id;
    },
  };
};

const exported = (storeId: string): Promise<ProductDocument[]> => allOf(useCases().exportProducts(storeId));

/** Reads the documents like an export file. */
const asFile = (documents: readonly ProductDocument[]): AsyncIterable<ImportItem> =>
  readNdjson(Readable.from(documents.map((document) => Buffer.from(`${JSON.stringify(document)}\n`))), readDocument);

/**
 * The store's id is the one thing that may differ; a category or tax class made by an import has a
 * time of its own there.
 */
const comparable = (documents: readonly ProductDocument[]): unknown =>
  JSON.parse(JSON.stringify(documents, (key, value: unknown) => (key === 'tenantId' ? undefined : value)));

const eventCount = async (storeId: string): Promise<number> => {
  const [row] = await database.query<{ count: number }>('SELECT count(*)::int AS count FROM events WHERE store_id = $1', [
    storeId,
  ]);
  return row?.count ?? -1;
};

const roundTrip = async (storeId: string, otherDomain: string): Promise<void> => {
  const { newStore, importProducts } = useCases();
  const documents = await exported(storeId);
  const events = await eventCount(storeId);
  clock.advance(60_000);
  expect(await importProducts(null, storeId, asFile(documents))).toMatchObject({
    created: 0,
    unchanged: documents.length,
    failed: 0,
    errors: [],
  });
  expect(await exported(storeId)).toEqual(documents);
  expect(await eventCount(storeId)).toBe(events);
  const other = await newStore(otherDomain);
  expect(await importProducts(null, other, asFile(documents))).toMatchObject({
    created: documents.length,
    failed: 0,
    errors: [],
  });
  expect(comparable(await exported(other))).toEqual(comparable(documents));
};

const NOTES = [
  // Weights are read in grams.
  { line: 1, message: 'These columns are not read: Variant Weight Unit.' },
  {
    line: 1,
    message:
      'Handles are kept in another form: 18 handles, such as "tods-laceupshoes-C20RE0U820-darkblue" as tods-laceupshoes-c20re0u820-darkblue. The first is in line 6.',
  },
];

describe.skipIf(!existsSync(FILE))('a real catalogue of 32 products', () => {
  let storeId: string;
  const importFile = () => useCases().importProducts(null, storeId, readShopifyCsv(createReadStream(FILE), 'EUR'));
  beforeAll(async () => {
    storeId = await useCases().newStore('sunrise.example');
  });

  it('is imported completely, with its 119 variants', async () => {
    expect(await importFile()).toEqual({
      read: 32,
      created: 32,
      updated: 0,
      unchanged: 0,
      failed: 0,
      variantsRemoved: 0,
      imagesRemoved: 0,
      stockRemoved: 0,
      ended: 'complete',
      nextLine: null,
      wouldRemove: null,
      errors: [],
      notes: NOTES,
    });
    const documents = await exported(storeId);
    expect(documents).toHaveLength(32);
    expect(documents.flatMap(({ variants }) => variants ?? [])).toHaveLength(119);
    const withValues = documents
      .flatMap(({ variants }) => variants ?? [])
      .filter(({ optionValues }) => optionValues?.length === 2);
    expect(withValues).toHaveLength(119);
  });

  it('changes nothing when it is imported again: no new id, no event, no new time', async () => {
    const [before, events] = [await exported(storeId), await eventCount(storeId)];
    clock.advance(60_000);
    expect(await importFile()).toEqual({
      read: 32,
      created: 0,
      updated: 0,
      unchanged: 32,
      failed: 0,
      variantsRemoved: 0,
      imagesRemoved: 0,
      stockRemoved: 0,
      ended: 'complete',
      nextLine: null,
      wouldRemove: null,
      errors: [],
      notes: NOTES,
    });
    expect(await exported(storeId)).toEqual(before);
    expect(await eventCount(storeId)).toBe(events);
  });

  it('finds products by their earlier slugs when it is imported again after slugs have changed', async () => {
    const before = await exported(storeId);
    const slugs = before.map(({ slug }) => slug);
    const renamed = before.map((document) => ({ ...document, slug: `${document.slug ?? ''}-renamed` }));
    expect(await useCases().importProducts(null, storeId, asFile(renamed))).toMatchObject({ updated: 32, failed: 0 });
    expect(await importFile()).toEqual({
      read: 32,
      created: 0,
      updated: 32,
      unchanged: 0,
      failed: 0,
      variantsRemoved: 0,
      imagesRemoved: 0,
      stockRemoved: 0,
      ended: 'complete',
      nextLine: null,
      wouldRemove: null,
      errors: [],
      notes: NOTES,
    });
    const after = await exported(storeId);
    expect(after.map(({ id, slug }) => [id, slug])).toEqual(before.map(({ id }, at) => [id, slugs[at]]));
  });

  it('importing its export gives the same catalogue, also in another store', async () => {
    await roundTrip(storeId, 'sunrise-copy.example');
  });
});

describe('the demo catalogue', () => {
  it('is saved completely, and importing its export gives the same catalogue, also in another store', async () => {
    const { newStore, importProducts, putTaxClass, putCategory } = useCases();
    const { taxClass, categories, products } = demoCatalogue('EUR');
    const storeId = await newStore('demo.example');
    await putTaxClass(null, storeId, taxClass.id, taxClass);
    for (const category of categories) await putCategory(null, storeId, category.id, category);
    expect(await importProducts(null, storeId, products)).toMatchObject({ created: 60, failed: 0, notes: [] });
    await roundTrip(storeId, 'demo-copy.example');
  });
});

describe('memory', () => {
  it('does not grow with the length of the file', async () => {
    const storeId = await useCases().newStore('large.example');
    let [held, most, made] = [0, 0, 0];
    const source = new Readable({
      // The default of Node.js 20; that of 22 is the size of this file.
      highWaterMark: 16_384,
      read() {
        const first = made === 0 ? 'Handle,Title,Variant SKU,Variant Price\n' : '';
        const body = Array.from({ length: 100 }, () => (made += 1)).map((n) => `p-${n},Product ${n},sku-${n},${n}.50`);
        this.push(`${first}${body.join('\n')}\n`);
        if (made >= 3_000) this.push(null);
      },
    });
    const { save } = useCases();
    // The import holds the documents that the source has made and no batch has taken yet.
    const importAll = importProducts(async (cause, id, documents) => {
      most = Math.max(most, made - held);
      const outcomes = await save(cause, id, documents);
      held += documents.length;
      return outcomes;
    });
    expect(await importAll(null, storeId, readShopifyCsv(source, 'EUR'))).toMatchObject({
      read: 3_000,
      created: 3_000,
      failed: 0,
    });
    expect(most).toBeLessThan(2_500);
    const prices = (await exported(storeId)).map(({ variants }) => variants?.[0]?.price);
    expect(prices.sort((a, b) => (a ?? 0) - (b ?? 0))).toEqual(Array.from({ length: 3_000 }, (_, at) => at + 1.5));
  });
});
