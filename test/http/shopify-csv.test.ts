import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';

import { readShopifyCsv, type ShopifyItem } from '../../src/adapters/http/import/shopify-csv.ts';

const HEADER =
  'Handle,Title,Status,Published,Option1 Name,Option1 Value,Variant SKU,Variant Price,Variant Inventory Qty,Image Src,Image Position';

/** All that the reader gives, the notes on the file too. */
const readAll = async (text: string | Buffer, chunk = 1 << 16): Promise<ShopifyItem[]> => {
  const bytes = Buffer.from(text);
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, at) => bytes.subarray(at * chunk, (at + 1) * chunk));
  const items: ShopifyItem[] = [];
  for await (const item of readShopifyCsv(Readable.from(chunks), 'EUR')) items.push(item);
  return items;
};

const read = async (text: string | Buffer, chunk?: number) =>
  (await readAll(text, chunk)).flatMap((item) => ('about' in item ? [] : [item]));
const notesOn = async (text: string): Promise<string[]> =>
  (await readAll(text)).flatMap((item) => ('about' in item ? [item.about.message] : []));

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
          available: 3,
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
      { tags: undefined, category: { name: 'Hand tools' }, specifications: undefined },
    ]);
  });

  it('a variant image belongs to its variant', async () => {
    const header = 'Handle,Title,Variant SKU,Variant Image,Image Src';
    expect(await documents(`${header}\na,A,one,https://x.example/v.png,https://x.example/a.png`)).toMatchObject([
      { media: [{ url: 'https://x.example/a.png' }, { url: 'https://x.example/v.png', variantAt: 0 }] },
    ]);
  });
});

describe('the text of the file', () => {
  const text = '\uFEFF"Handle",Title,Body (HTML)\r\na,A,"one\r\ntwo ""2"""\r\n\r\nb,B\r\n,nobody,\r\n';

  it.each([1 << 16, 1])(
    'may have a byte-order mark, Windows line ends, quoted line breaks and blank lines, in chunks of %i bytes',
    async (chunk) => {
      expect(await read(text, chunk)).toMatchObject([
        { line: 2, document: { slug: 'a', description: 'one\r\ntwo "2"' } },
        { line: 6, message: 'Handle is missing.' },
        { line: 5, message: 'Line 6 cannot be imported, and may be a row of this product. Nothing of b is imported.' },
      ]);
    },
  );

  it.each(['Title\nA', 'Handle\na', 'x,y\n1,2'])(
    'gives one clear error when the column Handle or Title is missing: %j',
    async (bad) => {
      expect(await read(bad)).toEqual([
        {
          line: 1,
          message: expect.stringMatching(/^This is not a Shopify product export: it has no column/) as string,
          refusesFile: true,
        },
      ]);
    },
  );

  it('is imported up to a quote that never closes', async () => {
    expect(await read('Handle,Title\na,A\nb,B\nc,"C\n\n')).toMatchObject([
      { line: 2, document: { slug: 'a' } },
      {
        line: 4,
        message: 'The quote that opens in line 4 is never closed. The rest of the file, from line 4, could not be read.',
      },
      { line: 3, message: 'Line 4 cannot be imported, and may be a row of this product. Nothing of b is imported.' },
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
    expect(await read(`${rows(row, 'a,,,,,M,m,1', 'b,B')}\n`)).toMatchObject([
      { line: 2, message },
      { line: 4, document: { slug: 'b' } },
    ]);
  });

  it('after the first is reported with its line, and nothing of its product is imported', async () => {
    const rule = 'must be 0 to 999,999,999,999.99 with at most 4 decimals. Nothing of a is imported.';
    expect(await read(rows('a,A,,,Size,S,s,1', 'a,,,,,M,m,x', 'a,,,,,L,l,y', 'b,B'))).toMatchObject([
      { line: 3, message: `Variant Price "x" ${rule}` },
      { line: 4, message: `Variant Price "y" ${rule}` },
      { line: 5, document: { slug: 'b' } },
    ]);
  });

  it('that cannot be read may be of the product before it or after it: nothing of both is imported', async () => {
    const may = 'Line 4 cannot be imported, and may be a row of this product.';
    expect(await read('Handle,Title\na,A\nb,B\nb,"B" x\nc,C\nd,D\n')).toMatchObject([
      { line: 2, document: { slug: 'a' } },
      { line: 4 },
      { line: 3, message: `${may} Nothing of b is imported.` },
      { line: 5, message: `${may} Nothing of c is imported.` },
      { line: 6, document: { slug: 'd' } },
    ]);
  });

  it('that the file ends in is one, where the rows before have all cells', async () => {
    const file = 'Handle,Title,Variant SKU\na,A,s\nb,B,t\nb,';
    expect(await read(file)).toMatchObject([
      { line: 2, document: { slug: 'a' } },
      { line: 4, message: 'The file ends within this row. Nothing of b is imported.' },
    ]);
    expect(await read(`${file}\n`)).toMatchObject([{ line: 2 }, { line: 3, document: { slug: 'b' } }]);
  });

  it('with another spelling of the Handle is a row of the same product', async () => {
    expect(await read('Handle,Title,Variant SKU\na-b,A,s\nA b,,t\n')).toMatchObject([
      { document: { slug: 'a-b', variants: [{ sku: 's' }, { sku: 't' }] } },
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
    expect(absent(variant).sort()).toEqual(['available', 'barcode', 'compareAtPrice', 'isOnSale', 'price', 'weightGrams']);
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

  it('without Image Src the other images stay, without Variant SKU new variants get one, and a note says so', async () => {
    const file = 'Handle,Title,Variant Price,Variant Image\na,A,1,https://x.example/1.png';
    expect(await documents(file)).toMatchObject([
      { keepsMedia: true, media: [{ url: 'https://x.example/1.png', variantAt: 0 }], variants: [{ sku: 'a', keepsSku: true }] },
    ]);
    expect(await notesOn(file)).toEqual([
      'The file has no column Variant SKU. A new variant gets a SKU made from its handle and options.',
    ]);
  });
});

describe('a blank cell', () => {
  const header =
    'Handle,Title,Body (HTML),SEO Title,SEO Description,Tags,Type,Vendor,Variant SKU,Variant Price,Variant Compare At Price,Variant Grams,Variant Inventory Qty,Variant Barcode,Image Src,Image Alt Text,Variant Image';

  it('says no more than a column that is not there', async () => {
    const blank = await documents(`${header}\na,A,,,,,,,one,,,,,,,,\n`);
    expect(blank).toEqual(await documents('Handle,Title,Variant SKU\na,A,one'));
  });

  it('of an image says nothing of its alt text and its variant', async () => {
    const blank = await documents(`${header}\na,A,,,,,,,one,,,,,,https://x.example/1.png,,\n`);
    expect(blank).toEqual(await documents('Handle,Title,Variant SKU,Image Src\na,A,one,https://x.example/1.png'));
  });

  it('without any variant in the product\u2019s rows says nothing of its variants', async () => {
    const [product] = await documents(`${header}\na,A,,,,,,,,,,,,,,,\n`);
    expect(product).toMatchObject({ options: undefined, variants: undefined });
  });
});

describe('texts that stay unchanged', () => {
  it('Body (HTML), the SEO texts and the alt text of an image, with their blanks and line ends', async () => {
    const header = 'Handle,Title,Body (HTML),SEO Title,SEO Description,Image Src,Image Alt Text';
    const row = 'a,A,"  <p>x</p>\r\n\n ", Saws ,"\tAll saws. ",https://x.example/1.png, A saw ';
    expect(await documents(`${header}\n${row}\nb,B, <p>y</p> , ,,,`)).toMatchObject([
      {
        description: '  <p>x</p>\r\n\n ',
        metaTitle: ' Saws ',
        metaDescription: '\tAll saws. ',
        media: [{ altText: ' A saw ' }],
      },
      { name: 'B', description: ' <p>y</p> ', metaTitle: undefined, metaDescription: undefined },
    ]);
    expect(await notesOn(`${header}\n${row}`)).toEqual([]);
  });

  it('tags in quotes with blanks after them', async () => {
    expect(await documents('Handle,Title,Tags,Vendor\na,A,"vegan, natural" ,Acme')).toMatchObject([
      { tags: ['vegan', 'natural'], specifications: [{ value: 'Acme' }] },
    ]);
  });
});

describe('what is not imported as it is', () => {
  it('columns that are not read are named once, if a row has a value there', async () => {
    const header = 'Handle,Cost per item,Title,Google Shopping / Gender,,Status';
    expect(await notesOn(`${header}\na,,A\nb,2.50,B\nc,3,C,, x`)).toEqual([
      'These columns are not read: Cost per item, column 5, which has no name.',
    ]);
    expect(await notesOn('Handle,Cost per item,Title\na, ,A\nb')).toEqual([]);
  });

  it('with the name that was probably meant first, unless the file has that column', async () => {
    const header = 'Handle,Title,Colour,Varient Price,Body HTML,variant_sku,Titel';
    expect(await notesOn(`${header}\na,A,red,1,x,s,T`)).toEqual([
      'These columns are not read: Varient Price (did you mean Variant Price?), Body HTML (did you mean Body (HTML)?), ' +
        'variant_sku (did you mean Variant SKU?), Colour, Titel.',
    ]);
    expect(await notesOn('Handle,Title,title\na,A,B')).toEqual([
      'These columns are not read: title (the file has this column twice).',
    ]);
  });

  it('at most 50 of them, each with 60 characters', async () => {
    const names = Array.from({ length: 52 }, (_, k) => `${String.fromCharCode(97 + (k % 26)).repeat(99)}${k}`);
    const [note = ''] = await notesOn(`Handle,Title,${names.join(',')}\na,A,${names.join(',')}`);
    expect(note).toMatch(/^These columns are not read: a{60}, b{60}, .* and 2 more\.$/);
    expect(note.length).toBeLessThan(50 * 62 + 60);
  });

  it('names that lose blanks at their ends, and weights that are rounded, are counted with the first line', async () => {
    const header = 'Handle,Title,Vendor,Variant SKU,Variant Price,Variant Grams';
    const file = `${header}\na,A,V,s,1,250\na, A ,V,t ,1,250.4\nb, B,V ,u,1,0.5\nc,C,,,,\nd,,,,,9.5`;
    expect(await notesOn(file)).toEqual([
      'Blanks at the ends of names and codes are not kept: 3 texts in Variant SKU, Title, Vendor. The first is in line 3.',
      'Weights are whole grams: 2 weights rounded. The first is in line 3.',
    ]);
    expect(await notesOn(`${header}\na,A,V,s,1,250.0`)).toEqual([]);
    expect(await notesOn('Handle,Title,Variant SKU,Variant Barcode\n a,A,s,40 \nb,B,t,41')).toEqual([
      'Blanks at the ends of names and codes are not kept: 2 texts in Handle, Variant Barcode. The first is in line 2.',
    ]);
  });
});

describe('a file that is not a Shopify product export', () => {
  it.each([
    ['WooCommerce', 'ID,Type,SKU,Name,Published,"Is featured?","Visibility in catalog","Short description"'],
    ['WooCommerce', 'Name,SKU,Regular price,Sale price,Categories'],
    ['Medusa', 'Product Id,Product Handle,Product Title,Product Status,Variant SKU,Price USD'],
    ['Vendure', 'name,slug,description,assets,facets,optionGroups,optionValues,sku,price,taxCategory'],
    ['Odoo', 'External ID,Name,Product Type,Internal Reference,Barcode,Sales Price,Cost,Weight'],
    ['Odoo', 'id,name,default_code,list_price'],
    ['Wix', 'handleId;fieldType;name;description;productImageUrl;collection;sku;price'],
    ['Magento', 'sku,store_view_code,attribute_set_code,product_type,name,price'],
    ['PrestaShop', 'ID;Active (0/1);Name *;Categories (x,y,z...);Price tax excluded'],
    ['BigCommerce', 'Item Type,Product ID,Product Name,Product Type,Product Code/SKU'],
    ['Squarespace', 'Product ID [Non Editable],Variant ID [Non Editable],Product Page,Title,SKU,Price'],
  ])('is recognised as one of %s, with the page that helps', async (shop, header) => {
    expect(await readAll(`${header}\n1,2,3`)).toEqual([
      {
        line: 1,
        message: `This looks like ${shop === 'Odoo' ? 'an' : 'a'} ${shop} export. Tenon reads Shopify product exports. docs/import.md says how to convert it ("Files of other shops").`,
        refusesFile: true,
      },
    ]);
  });

  it.each([
    ['Handle|Title\na|A', /"\|"\. Separate cells with commas, semicolons or tabs\.$/],
    ['x,y\n1,2', /it has no column Handle and no column Title\. docs\/import\.md lists the columns\.$/],
    ['handel,Title\na,A', /it has no column Handle\. Write Handle for "handel"\.$/],
  ])('%j gets a message that says what to do', async (file, message) => {
    expect(await readAll(file)).toEqual([{ line: 1, message: expect.stringMatching(message) as string, refusesFile: true }]);
  });
});

describe('a file whose rows are all useless', () => {
  /** Rows without an end, and how many of them were read. */
  const endless = (row: string) => {
    const source = { rows: 0 };
    const chunk = row.repeat(100);
    const bytes = function* () {
      yield Buffer.from('Handle,Title\n');
      for (;;) {
        source.rows += 100;
        yield Buffer.from(chunk);
      }
    };
    return { source, stream: Readable.from(bytes()) };
  };

  it.each(['a\n', '",\n', 'a,A,3\n', ',A\n'])('%j again and again: the rest is not read', async (row) => {
    const { source, stream } = endless(row);
    let last: ShopifyItem | undefined;
    for await (const item of readShopifyCsv(stream, 'EUR')) last = item;
    expect(last).toMatchObject({
      refusesFile: true,
      message: expect.stringMatching(/the rest of the file was not read/) as string,
    });
    expect(source.rows).toBeLessThan(200_000);
  });

  it('one row that can be used, however late, and all of it is read', async () => {
    const bad = 'a\n'.repeat(24_990);
    const items = await read(`Handle,Title\n${bad}b,B\n${bad}c,C`);
    expect(items.filter((item) => 'document' in item)).toHaveLength(2);
  });
});

describe('a status that Tenon does not have', () => {
  it('unlisted becomes Draft, with a note', async () => {
    expect(await read(rows('a,A,Unlisted'))).toMatchObject([
      { line: 2, document: { status: 'Draft' }, notes: [{ line: 2, message: expect.stringContaining('unlisted') as string }] },
    ]);
  });
});

it('a product with too many rows is reported once, nothing of it is imported, and the next product is read', async () => {
  const file = `Handle,Title,Variant SKU\n${Array.from({ length: 5_010 }, (_, n) => `a,A,${n}`).join('\n')}\nb,B,x`;
  const items = await read(file);
  expect(items).toMatchObject([{ line: 5_002 }, { document: { slug: 'b' } }]);
});
