import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';

import { readShopifyCsv } from '../../src/adapters/http/import/shopify-csv.ts';
import type { ShopifyItem } from '../../src/adapters/http/import/shopify-csv.ts';

const HEADER =
  'Handle,Title,Status,Published,Option1 Name,Option1 Value,Variant SKU,Variant Price,Variant Inventory Qty,Image Src,Image Position';

const read = async (text: string | Buffer, chunk = 1 << 16): Promise<ShopifyItem[]> => {
  const bytes = Buffer.from(text);
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, at) => bytes.subarray(at * chunk, (at + 1) * chunk));
  const items: ShopifyItem[] = [];
  for await (const item of readShopifyCsv(Readable.from(chunks), 'EUR')) items.push(item);
  return items;
};

const documents = async (text: string, chunk?: number) =>
  (await read(text, chunk)).map((item) => ('document' in item ? item.document : item));
const rows = (...lines: string[]): string => [HEADER, ...lines].join('\n');

describe('the status of a product', () => {
  it.each([
    ['active', 'true', 'Active'],
    ['DRAFT', 'true', 'Draft'],
    ['Archived', 'true', 'Archived'],
    ['unlisted', 'true', 'Draft'],
    ['', 'true', 'Active'],
    ['', 'false', 'Draft'],
    ['', 'FALSE', 'Draft'],
  ])('Status %j, Published %j: %s', async (status, published, expected) => {
    expect(await documents(rows(`a,A,${status},${published}`))).toMatchObject([{ status: expected }]);
  });

  it('comes from Published in an older export without the column Status', async () => {
    expect(await documents('Handle,Title,Published\na,A,true\nb,B,false')).toMatchObject([
      { status: 'Active' },
      { status: 'Draft' },
    ]);
  });
});

describe('rows of one product', () => {
  it('consecutive rows of one Handle are one product with their variants, options and images', async () => {
    const [product] = await documents(
      rows(
        'a,A,active,true,Size,S,a-s,1.50,3,https://x.example/2.png,2',
        'a,,,,,M,a-m,2,4,https://x.example/1.JPG,1',
        'a,,,,,,,,,https://x.example/2.png,3',
      ),
    );
    expect(product).toMatchObject({
      slug: 'a',
      name: 'A',
      options: [{ name: 'Size', values: [{ value: 'S' }, { value: 'M' }] }],
      variants: [
        {
          sku: 'a-s',
          price: 1.5,
          currency: 'EUR',
          optionValues: [{ option: 'Size', value: 'S' }],
          inventory: [{ available: 3, onHand: 3 }],
        },
        { sku: 'a-m', price: 2, optionValues: [{ option: 'Size', value: 'M' }] },
      ],
      media: [
        { url: 'https://x.example/1.JPG', position: 1 },
        { url: 'https://x.example/2.png', position: 2 },
      ],
    });
  });

  it('a variant without a SKU gets one from the handle and its option values, the same each time', async () => {
    const text = rows('a,A,,,Size,S,,1', 'a,,,,,L/XL,,1', 'a,,,,,L/XL,,1');
    expect(await documents(text)).toMatchObject([{ variants: [{ sku: 'a-s' }, { sku: 'a-l-xl' }, { sku: 'a-l-xl-2' }] }]);
  });

  it('Title with the only value Default Title is not an option', async () => {
    expect(await documents(rows('a,A,,,Title,Default Title,x,1'))).toMatchObject([
      { options: [], variants: [{ sku: 'x', optionValues: [] }] },
    ]);
  });

  it('Tags are split at commas without repeats; Type names the category, or the last part of Product Category does; Vendor is a specification', async () => {
    const header = 'Handle,Title,Tags,Vendor,Type,Product Category';
    expect(await documents(`${header}\na,A,"x, y,,x ",Acme,Saws,T > H\nb,B,,,,Tools > Hand tools`)).toMatchObject([
      { tags: ['x', 'y'], category: { name: 'Saws' }, specifications: [{ name: 'Vendor', value: 'Acme' }] },
      { tags: [], category: { name: 'Hand tools' }, specifications: [] },
    ]);
  });

  it('a variant image belongs to its variant', async () => {
    const header = 'Handle,Title,Variant SKU,Variant Image,Image Src';
    expect(await documents(`${header}\na,A,one,https://x.example/v.png,https://x.example/a.png`)).toMatchObject([
      { media: [{ url: 'https://x.example/a.png' }, { url: 'https://x.example/v.png', variantSku: 'one' }] },
    ]);
  });
});

describe('the text of the file', () => {
  const text = '\uFEFF"Handle",Title,Body (HTML)\r\na,A,"one\r\ntwo ""2"""\r\n\r\n,nobody,\r\n';

  it.each([1 << 16, 1])(
    'may have a byte-order mark, Windows line ends, quoted line breaks and blank lines, in chunks of %i bytes',
    async (chunk) => {
      expect(await read(text, chunk)).toMatchObject([
        { line: 2, document: { slug: 'a', description: 'one\r\ntwo "2"' } },
        { line: 5, message: 'Handle is missing.' },
      ]);
    },
  );

  it.each(['Title\nA', 'Handle\na', 'x,y\n1,2'])(
    'gives one clear error when the column Handle or Title is missing: %j',
    async (bad) => {
      expect(await read(bad)).toEqual([
        { line: 1, message: expect.stringMatching(/^This is not a Shopify product export: it has no column/) as string },
      ]);
    },
  );

  it('is imported up to a quote that never closes', async () => {
    expect(await read('Handle,Title\na,A\nb,"B\n\n')).toMatchObject([
      {
        line: 3,
        message: 'The quote that opens in line 3 is never closed. The rest of the file, from line 3, could not be read.',
      },
      { line: 2 },
    ]);
  });

  it('is reported when it is empty', async () => {
    expect(await read('')).toMatchObject([{ line: 1, message: expect.stringContaining('empty') as string }]);
  });
});

describe('a bad row', () => {
  it('with more than 10,000 tags is reported before they are split', async () => {
    const tags = (count: number): string => Array.from({ length: count }, (_, at) => `t${String(at)}`).join(',');
    const items = await read(`Handle,Title,Tags\na,A,"${tags(10_001)}"\nb,B,"${tags(10_000)}"`);
    expect(items).toMatchObject([
      { line: 2, message: 'Tags must have at most 10,000 tags.' },
      { line: 3, document: { slug: 'b' } },
    ]);
  });

  it.each([
    ['a,A,,,Size,S,s,cheap', 'Variant Price "cheap" must be 0 to 999,999,999,999.99 with at most 4 decimals.'],
    ['a,A,,,Size,S,s,1,many', 'Variant Inventory Qty "many" must be a whole number.'],
    ['a,A,,,Size,S,s,1,2,https://x.example/1.png,first', 'Image Position "first" must be a whole number.'],
    ['a,,active', 'Title is missing.'],
    ['a,A,sold', 'Status "sold" must be active, draft, archived or unlisted.'],
    ['a,A\0', 'The row contains a NUL character.'],
  ])('%j as the first of its product is reported once, and the product is skipped', async (row, message) => {
    expect(await read(rows(row, 'a,,,,,M,m,1', 'b,B'))).toMatchObject([
      { line: 2, message },
      { line: 4, document: { slug: 'b' } },
    ]);
  });

  it('after the first is reported with its line and skipped; the other rows of the product are imported', async () => {
    expect(await read(rows('a,A,,,Size,S,s,1', 'a,,,,,M,m,x', 'a,,,,,L,l,3'))).toMatchObject([
      { line: 3, message: 'Variant Price "x" must be 0 to 999,999,999,999.99 with at most 4 decimals.' },
      { line: 2, document: { variants: [{ sku: 's' }, { sku: 'l' }] } },
    ]);
  });
});

describe('a column that the file does not have', () => {
  const absent = (document: unknown): string[] =>
    Object.entries(document as object).flatMap(([field, value]) => (value === undefined ? [field] : []));

  it('is absent from the document, so that the stored value stays', async () => {
    const [product] = await documents('Handle,Title\na,A');
    expect(absent(product).sort()).toEqual(
      [
        ...['description', 'metaTitle', 'metaDescription', 'kind', 'status', 'tags', 'category', 'specifications'],
        ...['options', 'variants', 'media'],
      ].sort(),
    );
  });

  it('is absent from each variant: an inventory export has no prices', async () => {
    const [product] = await documents(
      'Handle,Title,Option1 Name,Option1 Value,SKU,Location,On hand\na,A,Size,S,a-s,Hanoi,3\na,A,Size,S,a-s,Hue,4\na,A,Size,M,a-m,Hue,5',
    );
    expect(product).toMatchObject({ media: undefined, variants: [{ sku: 'a-s' }, { sku: 'a-m' }] });
    const [variant] = (product as { variants: unknown[] }).variants;
    expect(absent(variant).sort()).toEqual(['barcode', 'compareAtPrice', 'inventory', 'isOnSale', 'price', 'weightGrams']);
  });

  it('is absent from each image', async () => {
    const [product] = await documents('Handle,Title,Image Src\na,A,https://x.example/1.png');
    expect((product as { media: unknown[] }).media).toEqual([
      { url: 'https://x.example/1.png', altText: undefined, position: undefined },
    ]);
  });

  it('is also absent if a row ends before it', async () => {
    expect(absent((await documents('Handle,Title,Tags,Vendor\na,A,x'))[0])).toContain('specifications');
  });

  it('without Image Src the variants\u2019 images are ignored, without Variant SKU the SKUs are made, and notes say so', async () => {
    const [item] = await read('Handle,Title,Variant Price,Variant Image\na,A,1,https://x.example/1.png');
    expect(item).toMatchObject({
      document: { media: undefined, variants: [{ sku: 'a' }] },
      notes: [
        { line: 1, message: expect.stringContaining('Variant SKU') as string },
        { line: 1, message: expect.stringContaining('Image Src') as string },
      ],
    });
  });
});

describe('a blank cell', () => {
  const header =
    'Handle,Title,Body (HTML),SEO Title,SEO Description,Tags,Type,Vendor,Variant SKU,Variant Price,Variant Compare At Price,Variant Grams,Variant Inventory Qty,Variant Barcode,Image Src,Image Alt Text,Variant Image';

  it('clears the value, except for price, grams and quantity, which do not change', async () => {
    const [product] = await documents(`${header}\na,A,,,,,,,one,,,,,,,,\n`);
    expect(product).toMatchObject({
      ...{ description: null, metaTitle: null, metaDescription: null, tags: [], category: null, specifications: [], media: [] },
      variants: [
        { price: undefined, compareAtPrice: null, isOnSale: false, weightGrams: undefined, inventory: undefined, barcode: null },
      ],
    });
  });

  it('of an image clears its alt text and its variant', async () => {
    const [product] = await documents(`${header}\na,A,,,,,,,one,,,,,,https://x.example/1.png,,\n`);
    expect(product).toMatchObject({ media: [{ altText: null, productVariantId: null }] });
  });

  it('without any variant in the product\u2019s rows says nothing of its variants', async () => {
    const [product] = await documents(`${header}\na,A,,,,,,,,,,,,,,,\n`);
    expect(product).toMatchObject({ options: undefined, variants: undefined });
  });
});

describe('texts that stay unchanged', () => {
  it('Body (HTML), with its blanks and line ends', async () => {
    expect(await documents('Handle,Title,Body (HTML)\na, A ,"  <p>x</p>\r\n\n "\nb,B, <p>y</p> ')).toMatchObject([
      { name: 'A', description: '  <p>x</p>\r\n\n ' },
      { name: 'B', description: ' <p>y</p> ' },
    ]);
  });

  it('tags in quotes with blanks after them', async () => {
    expect(await documents('Handle,Title,Tags,Vendor\na,A,"vegan, natural" ,Acme')).toMatchObject([
      { tags: ['vegan', 'natural'], specifications: [{ value: 'Acme' }] },
    ]);
  });
});

describe('a status that Tenon does not have', () => {
  it('unlisted becomes Draft, with a note', async () => {
    expect(await read(rows('a,A,Unlisted'))).toMatchObject([
      { line: 2, document: { status: 'Draft' }, notes: [{ line: 2, message: expect.stringContaining('unlisted') as string }] },
    ]);
  });
});

it('a product with too many rows is reported once and cut off, and the next product is read', async () => {
  const file = `Handle,Title,Variant SKU\n${Array.from({ length: 5_010 }, (_, n) => `a,A,${n}`).join('\n')}\nb,B,x`;
  const items = await read(file);
  expect(items).toMatchObject([{ line: 5_002 }, { line: 2 }, { document: { slug: 'b' } }]);
});
