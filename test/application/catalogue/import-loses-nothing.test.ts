import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { importFile } from '../../../src/adapters/http/import/import-file.ts';
import { importProducts } from '../../../src/application/catalogue/import-products.ts';
import { judgeImport } from '../../../src/application/catalogue/record-import.ts';
import { saveProducts } from '../../../src/application/catalogue/save-products.ts';
import type { ImportReport } from '../../../src/domain/catalogue/product-import.ts';
import type { Product, ProductDocument, Variant } from '../../../src/domain/catalogue/product.ts';
import { refuse } from '../../../src/domain/result.ts';
import { openMemoryPorts } from '../../support/memory-ports.ts';

/** 10,000 in the full run: IMPORT_CASES=10000. */
const CASES = Number(process.env['IMPORT_CASES'] ?? 100);
const STORE = '00000000-0000-7000-8000-00000000000a';
const OTHER = '00000000-0000-7000-8000-00000000000b';

const SIZES = ['S', 'M', 'L', 'XL'] as const;
const COLORS = ['Red', 'Blue', 'Green'] as const;

/** A stored product: its variants are different cells of a table of sizes and colors. */
interface Stored {
  readonly options: 0 | 1 | 2;
  readonly count: number;
  readonly skus: 'own' | 'model';
  readonly stock: readonly number[];
  readonly images: number;
  readonly owned: boolean;
}

const stored = fc.record<Stored>({
  options: fc.constantFrom(0, 1, 2),
  count: fc.integer({ min: 1, max: 4 }),
  skus: fc.constantFrom('own', 'model'),
  stock: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 12, maxLength: 12 }),
  images: fc.integer({ min: 0, max: 3 }),
  owned: fc.boolean(),
});

const valuesOf = ({ options }: Stored, at: number): readonly (readonly [string, string])[] => {
  const size = ['Size', SIZES[at % 4] ?? 'S'] as const;
  const color = ['Color', COLORS[at % 3] ?? 'Red'] as const;
  return options === 0 ? [] : options === 1 ? [size] : [size, color];
};
/** A product without options has one variant, or variants that their SKUs distinguish. */
const skuOf = ({ skus, options }: Stored, handle: string, at: number): string =>
  skus === 'model' && options > 0 ? `${handle}-model` : `${handle}-${at}`;

const documentOf = (one: Stored, handle: string): ProductDocument => ({
  ...{ name: `Product ${handle}`, slug: handle, status: 'Active', description: 'Text', tags: ['a', 'b'], metaTitle: 'Meta' },
  category: { name: 'Tools' },
  specifications: [
    { name: 'Vendor', value: 'Acme' },
    { name: 'Teeth', value: '15' },
  ],
  options: ['Size', 'Color'].slice(0, one.options).map((name) => ({
    name,
    values: [...(name === 'Size' ? SIZES : COLORS)].map((value) => ({ value, swatchHex: '#fff' })),
  })),
  variants: Array.from({ length: one.count }, (_, at) => ({
    ...{ sku: skuOf(one, handle, at), currency: 'EUR', price: 10 + at, compareAtPrice: 20, barcode: `40${at}`, weightGrams: 7 },
    optionValues: valuesOf(one, at).map(([option, value]) => ({ option, value })),
    inventory: [{ available: one.stock[at] ?? 0 }, { warehouseId: OTHER, available: one.stock[at + 4] ?? 0, reserved: 1 }],
  })),
  media: Array.from({ length: one.images }, (_, at) => ({
    ...{ url: `https://x.example/${handle}-${at}.png`, altText: `Image ${at}` },
    ...(one.owned && at === 0 && one.options === 0 && { variantSku: skuOf(one, handle, 0) }),
  })),
});

const COLUMNS = [
  ...([
    'Handle',
    'Title',
    'Body (HTML)',
    'Tags',
    'Vendor',
    'Type',
    'SEO Title',
    'Option1 Name',
    'Option1 Value',
    'Option2 Name',
  ] as const),
  ...(['Option2 Value', 'Variant SKU', 'Variant Price', 'Variant Compare At Price', 'Variant Barcode', 'Variant Grams'] as const),
  ...(['Image Src', 'Image Alt Text'] as const),
] as const;
type Column = (typeof COLUMNS)[number];
type Row = Readonly<Record<Column, string>>;

/** The rows of a file that says all of the product. */
const rowsOf = (one: Stored, handle: string): Row[] =>
  Array.from({ length: Math.max(one.count, one.images) }, (_, at): Row => {
    const [size, color] = at < one.count ? valuesOf(one, at) : [];
    const has = <T>(text: T): T | '' => (at < one.count ? text : '');
    const first = (text: string): string => (at === 0 ? text : '');
    return {
      ...{ Handle: handle, Title: first(`Product ${handle}`), 'Body (HTML)': first('Text'), Tags: first('"a, b"') },
      ...{ Vendor: first('Acme'), Type: first('Tools'), 'SEO Title': first('Meta') },
      'Option1 Name': first(size?.[0] ?? ''),
      'Option1 Value': size?.[1] ?? '',
      'Option2 Name': first(color?.[0] ?? ''),
      'Option2 Value': color?.[1] ?? '',
      'Variant SKU': has(skuOf(one, handle, at)),
      'Variant Price': has(`${10 + at}`),
      'Variant Compare At Price': has('20'),
      'Variant Barcode': has(`40${at}`),
      'Variant Grams': has('7'),
      'Image Src': at < one.images ? `https://x.example/${handle}-${at}.png` : '',
      'Image Alt Text': at < one.images ? `Image ${at}` : '',
    };
  });

const REQUIRED: readonly Column[] = ['Handle', 'Title'];

/** How a file comes to say less. */
interface Less {
  readonly without: readonly Column[];
  readonly blanks: readonly (readonly [row: number, column: Column])[];
  readonly shuffle: boolean;
  readonly order: readonly number[];
  readonly spoil: number | null;
  readonly cut: number | null;
  readonly drop: readonly number[];
  readonly newSkus: boolean;
  readonly allows: boolean;
}

const less = fc.record<Less>({
  without: fc.subarray(COLUMNS.filter((column) => !REQUIRED.includes(column))),
  blanks: fc.array(fc.tuple(fc.nat(20), fc.constantFrom(...COLUMNS.slice(2))), { maxLength: 5 }),
  shuffle: fc.boolean(),
  order: fc.array(fc.nat(99), { minLength: 24, maxLength: 24 }),
  spoil: fc.option(fc.nat(20), { freq: 2 }),
  cut: fc.option(fc.double({ min: 0.2, max: 1, noNaN: true }), { freq: 2 }),
  drop: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.array(fc.nat(20), { maxLength: 3 }) }),
  newSkus: fc.boolean(),
  allows: fc.boolean(),
});

/** Cut between two cells or two rows, behind a whole row: a shorter cell and a shorter first row look whole. */
const cutOff = (text: string, share: number): string => {
  const at = text.slice(0, Math.round(text.length * share)).search(/[,\n][^,\n]*$/);
  const isWhole = text.slice(0, at).split('\n').length > 2;
  return isWhole ? text.slice(0, at + 1) : text;
};

const OF_VARIANT = COLUMNS.filter((column) => /^Variant|Value$/.test(column));

/** The file, and the SKUs of the rows that say nothing of their variant: they look like the rows of images. */
const fileOf = (products: readonly Stored[], how: Less): { readonly text: string; readonly silent: readonly string[] } => {
  const skus = products.flatMap((one, at) => rowsOf(one, `p-${at}`).map((row) => row['Variant SKU']));
  let rows = products.flatMap((one, at) => rowsOf(one, `p-${at}`)).map((row) => ({ ...row }));
  if (how.newSkus) rows.forEach((row) => row['Variant SKU'] && (row['Variant SKU'] = `${row['Variant SKU']}-new`));
  for (const [at, column] of how.blanks) if (rows[at]) rows[at][column] = '';
  if (how.spoil !== null && rows[how.spoil]) rows[how.spoil]!['Variant Price'] = '"12,50"';
  const columns = COLUMNS.filter((column) => !how.without.includes(column) || (how.spoil !== null && column === 'Variant Price'));
  const says = (row: Row): boolean => OF_VARIANT.some((column) => columns.includes(column) && row[column] !== '');
  const silent = skus.filter((_, at) => rows[at] && !says(rows[at]));
  rows = rows.filter((_, at) => !how.drop.includes(at));
  if (how.shuffle)
    rows = rows
      .map((row, at) => [row, how.order[at] ?? 0] as const)
      .toSorted(([, a], [, b]) => a - b)
      .map(([row]) => row);
  const text = [columns, ...rows.map((row) => columns.map((column) => row[column]))]
    .map((cells) => `${cells.join(',')}\n`)
    .join('');
  return { silent, text: how.cut === null ? text : cutOff(text, how.cut) };
};

const open = async (products: readonly Stored[]) => {
  const ports = openMemoryPorts();
  await ports.stores.create({ id: STORE, domain: 'one.example', name: 'Store', currency: 'EUR' });
  const save = saveProducts(ports);
  const saved = await save(
    null,
    STORE,
    products.map((one, at) => documentOf(one, `p-${at}`)),
  );
  const ids = saved.map((one) => (one.ok ? one.value.product.id : expect.fail(one.message)));
  const read = async (): Promise<Map<string, Product>> => {
    const found = await ports.transaction.run(null, (tx) => tx.products.lock(STORE, ids));
    return new Map(found.map((product) => [product.id, product]));
  };
  const run = async (csv: string, allowsRemovals: boolean): Promise<ImportReport> => {
    const bytes = (async function* () {
      yield await Promise.resolve(Buffer.from(csv));
    })();
    const readDocument = () => refuse('invalid' as const, 'No NDJSON.');
    const file = importFile({ bytes, contentType: 'text/csv', charset: 'utf-8', currency: 'EUR', readDocument });
    try {
      const options = { preview: file.preview, allowsRemovals };
      return await importProducts(save, judgeImport(ports, save))(null, STORE, file.items, options);
    } finally {
      await file.close();
    }
  };
  return { read, run };
};

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
const stockOf = ({ inventory }: Variant): number => sum(inventory.map(({ available }) => available));
const textsOf = (product: Product, variant: Variant): string => {
  const values = new Map(
    product.options.flatMap(({ name, values: own }) => own.map(({ id, value }) => [id, `${name}=${value}`])),
  );
  return variant.optionValues
    .map(({ productOptionValueId: id }) => values.get(id))
    .toSorted()
    .join();
};
/** No generated file changes these fields: it leaves them out, or has their present values. */
const untouched = (product: Product, variant: Variant): object => {
  const { id, price, compareAtPrice, barcode, weightGrams, inventory, createdAt, isOnSale } = variant;
  return { id, price, compareAtPrice, barcode, weightGrams, inventory, createdAt, isOnSale, texts: textsOf(product, variant) };
};
const pictures = ({ media }: Product): object[] => media.map(({ id, url, altText }) => ({ id, url, altText }));

const check = async (products: readonly Stored[], how: Less): Promise<void> => {
  const { read, run } = await open(products);
  const before = await read();
  const { text: csv, silent } = fileOf(products, how);
  const report = await run(csv, how.allows);
  const after = await read();
  const said = `${csv}\n${JSON.stringify(report, null, 1)}`;
  const gone = { variants: 0, images: 0, stock: 0, of: 0 };
  for (const [id, old] of before) {
    const now = after.get(id) ?? expect.fail(`A product is gone.\n${said}`);
    const { variants: _, media: __, options: ___, updatedAt: ____, ...own } = now;
    expect(old, said).toMatchObject(JSON.parse(JSON.stringify(own)) as object);
    const byId = new Map(now.variants.map((variant) => [variant.id, variant]));
    for (const variant of old.variants) {
      const kept = byId.get(variant.id);
      if (kept) expect(untouched(now, kept), said).toEqual(untouched(old, variant));
      else {
        gone.variants += 1;
        gone.stock += stockOf(variant);
        expect(
          report.notes.some(({ message }) => message.includes(variant.sku)),
          said,
        ).toBe(true);
        // A variant goes where the file has its product, and no row for it: nothing but SKUs may distinguish the rows.
        const isNamed = how.newSkus && old.options.length === 0 && old.variants.length > 1;
        expect(
          isNamed || silent.includes(variant.sku) || how.drop.length > 0 || how.cut !== null,
          `${variant.sku} is gone.\n${said}`,
        ).toBe(true);
      }
    }
    gone.images += old.media.filter((media) => !now.media.some((one) => one.id === media.id)).length;
    for (const picture of pictures(now)) expect(pictures(old), said).toContainEqual(picture);
  }
  expect({ variants: report.variantsRemoved, images: report.imagesRemoved, stock: report.stockRemoved }, said).toEqual({
    ...{ variants: gone.variants, images: gone.images, stock: gone.stock },
  });
  expect(report.read, said).toBe(report.created + report.updated + report.unchanged + report.failed);
};

describe('after the import of a file that says less', () => {
  it('all that the file does not speak of is as before, and all that is gone is in the report', async () => {
    await fc.assert(fc.asyncProperty(fc.array(stored, { minLength: 1, maxLength: 5 }), less, check), { numRuns: CASES });
  }, 3_600_000);
});
