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

  it('a variant without a SKU gets one from the handle and its values, the same each time', async () => {
    const text = rows('a,A,,,Size,S,,1', 'a,,,,,L/XL,,1', 'a,,,,,L/XL,,1');
    expect(await documents(text)).toMatchObject([{ variants: [{ sku: 'a-s' }, { sku: 'a-l-xl' }, { sku: 'a-l-xl-2' }] }]);
  });

  it('Title with the one value Default Title is no option', async () => {
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
    'a byte-order mark, Windows line ends, quoted line breaks and blank lines are understood, in chunks of %i bytes',
    async (chunk) => {
      expect(await read(text, chunk)).toMatchObject([
        { line: 2, document: { slug: 'a', description: 'one\r\ntwo "2"' } },
        { line: 5, message: 'Handle is missing' },
      ]);
    },
  );

  it.each(['Title\nA', 'Handle\na', 'x,y\n1,2'])(
    'one clear error when the column Handle or Title is missing: %j',
    async (bad) => {
      expect(await read(bad)).toEqual([
        { line: 1, message: expect.stringMatching(/^this is no Shopify product export: the column/) as string },
      ]);
    },
  );

  it('what comes before a quote that never closes is imported', async () => {
    expect(await read('Handle,Title\na,A\nb,"B\n\n')).toMatchObject([
      { line: 3, message: expect.stringContaining('no CSV') as string },
      { line: 2 },
    ]);
  });

  it('an empty file is told', async () => {
    expect(await read('')).toMatchObject([{ line: 1, message: expect.stringContaining('empty') as string }]);
  });
});

describe('a bad row', () => {
  it.each([
    ['a,A,,,Size,S,s,cheap', 'Variant Price "cheap" is no amount'],
    ['a,A,,,Size,S,s,1,many', 'Variant Inventory Qty "many" is no whole number'],
    ['a,A,,,Size,S,s,1,2,https://x.example/1.png,first', 'Image Position "first" is no whole number'],
    ['a,,active', 'Title is missing'],
    ['a,A,sold', 'Status "sold" is none of active, draft, archived'],
    ['a,A\0', 'the row has a NUL character'],
    ['a,A\uFFFD', 'the row is not valid UTF-8'],
  ])('%j as the first of its product: reported once, and the product is left out', async (row, message) => {
    expect(await read(rows(row, 'a,,,,,M,m,1', 'b,B'))).toMatchObject([
      { line: 2, message },
      { line: 4, document: { slug: 'b' } },
    ]);
  });

  it('further down is reported with its line and skipped; the other rows of the product are imported', async () => {
    expect(await read(rows('a,A,,,Size,S,s,1', 'a,,,,,M,m,x', 'a,,,,,L,l,3'))).toMatchObject([
      { line: 3, message: 'Variant Price "x" is no amount' },
      { line: 2, document: { variants: [{ sku: 's' }, { sku: 'l' }] } },
    ]);
  });
});
