import { describe, expect, it } from 'vitest';

import { openShelf, type Shelf } from '../../support/shelf.ts';

const STOCK = (available: number) => [{ available }];
const MUG = {
  name: 'Mug',
  slug: 'mug',
  variants: [{ sku: 'MUG-1', currency: 'EUR', price: 10, weightGrams: 300, barcode: '40', inventory: STOCK(7) }],
  media: [{ url: 'https://x.example/mug.png', altText: 'A mug', variantSku: 'MUG-1' }],
};
const size = (value: string) => [{ option: 'Size', value }];
const shirt = (skus: readonly [string, string, string]) => ({
  name: 'Shirt',
  slug: 'shirt',
  options: [{ name: 'Size', values: [{ value: 'S' }, { value: 'M', swatchHex: '#fff' }, { value: 'L' }] }],
  variants: (['S', 'M', 'L'] as const).map((value, at) => ({
    ...{ sku: skus[at] ?? '', currency: 'EUR', price: 10 + at, inventory: STOCK(at + 1), optionValues: size(value) },
  })),
});
const SHIRT = shirt(['A', 'B', 'C']);
const MODEL = shirt(['X', 'X', 'X']);

/** The product without times, which a change moves, and what `change` makes of the stored one. */
const expectOnly = async (shelf: Shelf, file: string, change: (variants: Shelf['variants']) => unknown): Promise<void> => {
  const expected = change(await shelf.read());
  const report = await shelf.import(file);
  expect(report).toMatchObject({ failed: 0, errors: [] });
  expect(await shelf.read()).toMatchObject(expected as object);
};

describe('a row finds its variant', () => {
  it.each([
    ['by itself, without the column', 'Handle,Title,Variant Price\nmug,Mug,12', { price: 12 }],
    ['by itself, with another SKU', 'Handle,Title,Variant SKU,Variant Price\nmug,Mug,NEW,12', { price: 12, sku: 'NEW' }],
    ['by its SKU', 'Handle,Title,Variant SKU,Variant Price\nmug,Mug,MUG-1,12', { price: 12 }],
    [
      'by itself, as the default variant',
      'Handle,Title,Option1 Name,Option1 Value,Variant Price\nmug,Mug,Title,Default Title,12',
      { price: 12 },
    ],
  ])('%s', async (_, file, change) => {
    const shelf = await openShelf(MUG);
    await expectOnly(shelf, file, ([only]) => [{ ...only, ...change, updatedAt: expect.any(String) as string }]);
  });

  const OPTIONS = 'Handle,Title,Option1 Name,Option1 Value';
  const at = (variants: Shelf['variants'], changes: readonly object[]): unknown =>
    changes.map((change, index) => ({ ...variants[index], ...change, updatedAt: expect.toSatisfy(() => true) as string }));
  it.each([
    [
      'by its option values, without the column SKU',
      SHIRT,
      `${OPTIONS},Variant Price\nshirt,Shirt,Size,S,5\nshirt,,,M,6\nshirt,,,L,7`,
      [{ price: 5 }, { price: 6 }, { price: 7 }],
    ],
    [
      'by its option values, with another SKU',
      SHIRT,
      `${OPTIONS},Variant SKU\nshirt,Shirt,Size,S,A2\nshirt,,,M,B2\nshirt,,,L,C2`,
      [{ sku: 'A2' }, { sku: 'B2' }, { sku: 'C2' }],
    ],
    [
      'by its option values, with blank SKUs',
      SHIRT,
      `${OPTIONS},Variant SKU,Variant Price\nshirt,Shirt,Size,S,,5\nshirt,,,M,,6\nshirt,,,L,,7`,
      [
        { sku: 'A', price: 5 },
        { sku: 'B', price: 6 },
        { sku: 'C', price: 7 },
      ],
    ],
    [
      'by its option values, of one model number',
      MODEL,
      `${OPTIONS},Variant SKU,Variant Price\nshirt,Shirt,Size,S,X,5\nshirt,,,M,X,6\nshirt,,,L,X,7`,
      [{ price: 5 }, { price: 6 }, { price: 7 }],
    ],
    [
      'by its SKU, without the options',
      SHIRT,
      'Handle,Title,Variant SKU,Variant Price\nshirt,Shirt,A,5\nshirt,,B,6\nshirt,,C,7',
      [{ price: 5 }, { price: 6 }, { price: 7 }],
    ],
    [
      'by the values of an option with another name',
      SHIRT,
      `${OPTIONS}\nshirt,Shirt,Größe,S\nshirt,,,M\nshirt,,,L`,
      [{}, {}, {}],
    ],
  ])('%s', async (_, stored, file, changes) => {
    const shelf = await openShelf(stored);
    const options = (await shelf.product()).options[0]?.values;
    await expectOnly(shelf, file, (variants) => at(variants, changes));
    expect((await shelf.product()).options[0]?.values).toMatchObject(
      options?.map(({ id, swatchHex }) => ({ id, swatchHex })) ?? [],
    );
  });
});

describe('rows that nothing distinguishes fail, and say what to add', () => {
  it.each([
    [
      '3 rows with the SKU X cannot be distinguished. Add the option columns.',
      MODEL,
      'Handle,Title,Variant SKU,Variant Price\nshirt,Shirt,X,5\nshirt,,X,6\nshirt,,X,7',
    ],
    [
      '2 rows with the SKU X cannot be distinguished. Add the option columns.',
      MODEL,
      'Handle,Title,Variant SKU,Variant Price\nshirt,Shirt,X,5\nshirt,,X,5',
    ],
    [
      'The row with the SKU X can be any of 3 stored variants. Add the option columns.',
      MODEL,
      'Handle,Title,Variant SKU,Variant Price\nshirt,Shirt,X,5',
    ],
    [
      'A row without a SKU can be any of 3 stored variants. Add the column Variant SKU or the option columns.',
      SHIRT,
      'Handle,Title,Variant Price\nshirt,Shirt,5',
    ],
    [
      '2 rows without a SKU and without option values cannot be distinguished. Add the column Variant SKU or the option columns.',
      SHIRT,
      'Handle,Title,Variant Price\nshirt,Shirt,5\nshirt,,6',
    ],
    [
      'The row with the SKU Z is a new variant, and has no option values. Add the option columns.',
      SHIRT,
      'Handle,Title,Variant SKU\nshirt,Shirt,A\nshirt,,Z',
    ],
    [
      '2 rows have the same option values: Size S. Each variant needs option values or a SKU of its own.',
      SHIRT,
      'Handle,Title,Option1 Name,Option1 Value,Variant SKU\nshirt,Shirt,Size,S,A\nshirt,,,S,',
    ],
    [
      '2 rows with the SKU X cannot be distinguished. Add the option columns.',
      MUG,
      'Handle,Title,Variant SKU,Variant Price\nmug,Mug,X,5\nmug,,X,6',
    ],
  ])('%s', async (message, stored, file) => {
    const shelf = await openShelf(stored);
    const before = await shelf.product();
    expect(await shelf.import(file)).toMatchObject({ failed: 1, errors: [{ line: 2, message }] });
    expect(await shelf.product()).toEqual(before);
  });

  it('but rows of an inventory export, one for each location, are one variant', async () => {
    const shelf = await openShelf(SHIRT);
    const before = await shelf.product();
    const rows = (['S', 'M', 'L'] as const).flatMap((value) => [
      `shirt,Shirt,Size,${value},Hanoi`,
      `shirt,Shirt,Size,${value},Hue`,
    ]);
    expect(await shelf.import(`Handle,Title,Option1 Name,Option1 Value,Location\n${rows.join('\n')}`)).toMatchObject({
      unchanged: 1,
    });
    expect(await shelf.product()).toEqual(before);
  });
});

describe('an option that the rows do not speak of stays', () => {
  const TWO = {
    name: 'Shirt',
    slug: 'shirt',
    options: [
      { name: 'Size', values: [{ value: 'S' }, { value: 'M' }] },
      { name: 'Color', values: [{ value: 'Red' }, { value: 'Blue' }] },
    ],
    variants: ['S Red', 'S Blue', 'M Red'].map((texts) => {
      const [s = '', c = ''] = texts.split(' ');
      return {
        sku: texts.replace(' ', '-'),
        currency: 'EUR',
        optionValues: [
          { option: 'Size', value: s },
          { option: 'Color', value: c },
        ],
      };
    }),
  };

  it.each([
    [
      'without its columns',
      'Handle,Title,Option1 Name,Option1 Value,Variant SKU\nshirt,Shirt,Size,S,S-Red\nshirt,,,S,S-Blue\nshirt,,,M,M-Red',
    ],
    [
      'with blank cells',
      'Handle,Title,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Variant SKU\nshirt,Shirt,Size,S,Color,,S-Red\nshirt,,,S,,Blue,S-Blue\nshirt,,,,,Red,M-Red',
    ],
    [
      'in another place',
      'Handle,Title,Option2 Name,Option2 Value,Variant SKU\nshirt,Shirt,Color,Red,S-Red\nshirt,,,Blue,S-Blue\nshirt,,,Red,M-Red',
    ],
  ])('%s', async (_, file) => {
    const shelf = await openShelf(TWO);
    const before = await shelf.product();
    const valuesOf = ({ variants }: typeof before) =>
      variants.map(({ id, optionValues }) => [id, optionValues.map((v) => v.productOptionValueId).toSorted()]);
    expect(await shelf.import(file)).toMatchObject({ failed: 0 });
    const after = await shelf.product();
    expect(valuesOf(after)).toEqual(valuesOf(before));
    expect(after.options.flatMap(({ values }) => values.map(({ id }) => id)).toSorted()).toEqual(
      before.options.flatMap(({ values }) => values.map(({ id }) => id)).toSorted(),
    );
  });

  it('and the others find the variant where they are enough', async () => {
    const { variants, ...rest } = TWO;
    const shelf = await openShelf({ ...rest, variants: variants.filter(({ sku }) => sku !== 'S-Blue') });
    await expectOnly(
      shelf,
      'Handle,Title,Option1 Name,Option1 Value,Variant Price\nshirt,Shirt,Size,S,5\nshirt,,,M,6',
      (stored) =>
        stored.map(({ id, sku, optionValues }, at) => ({
          id,
          sku,
          price: 5 + at,
          optionValues: optionValues.map(({ id: value }) => ({ id: value })),
        })),
    );
  });

  it('and a new variant must say it', async () => {
    const shelf = await openShelf(TWO);
    const file = 'Handle,Title,Option1 Name,Option1 Value,Variant SKU\nshirt,Shirt,Size,S,S-Red\nshirt,,,XL,XL-1';
    expect(await shelf.import(file)).toMatchObject({
      errors: [
        { message: 'The row with the SKU XL-1 is a new variant, and has no value of the option Color. Add the option columns.' },
      ],
    });
  });
});

describe('an image', () => {
  const TWO = {
    ...SHIRT,
    media: ['a', 'b'].map((name) => ({ url: `https://x.example/${name}.png`, altText: name, variantSku: 'A' })),
  };

  it('of a row that blanks its alt text and its variant keeps both', async () => {
    const shelf = await openShelf(TWO);
    const before = await shelf.product();
    await shelf.import(
      'Handle,Title,Image Src,Image Alt Text\nshirt,Shirt,https://x.example/a.png,\nshirt,,https://x.example/b.png,',
    );
    expect(await shelf.product()).toEqual(before);
  });

  it('of a variant joins the others, where the file has no images of the product', async () => {
    const shelf = await openShelf(TWO);
    const before = await shelf.product();
    await shelf.import(
      'Handle,Title,Variant SKU,Variant Image\nshirt,Shirt,A,\nshirt,,B,https://x.example/a.png\nshirt,,C,https://x.example/c.png',
    );
    const { media, variants } = await shelf.product();
    expect(media.map(({ url, productVariantId }) => [url, productVariantId])).toEqual([
      ['https://x.example/a.png', variants[1]?.id],
      ['https://x.example/b.png', variants[0]?.id],
      ['https://x.example/c.png', variants[2]?.id],
    ]);
    expect(media[0]).toMatchObject({ id: before.media[0]?.id, altText: 'a' });
  });

  it('is of one variant, also where several have its SKU', async () => {
    const shelf = await openShelf(MODEL);
    await shelf.import(
      'Handle,Title,Option1 Name,Option1 Value,Variant SKU,Image Src,Variant Image\nshirt,Shirt,Size,S,X,https://x.example/a.png,\nshirt,,,M,X,,https://x.example/a.png\nshirt,,,L,X,,',
    );
    const { media, variants } = await shelf.product();
    expect(media).toMatchObject([{ productVariantId: variants[1]?.id }]);
  });
});

it('Vendor is one of the specifications, and the others stay', async () => {
  const shelf = await openShelf({ ...MUG, specifications: [{ name: 'Glaze', value: 'blue' }] });
  const before = await shelf.product();
  await shelf.import('Handle,Title,Vendor\nmug,Mug,Acme');
  expect((await shelf.product()).specifications).toMatchObject([
    before.specifications[0]!,
    { name: 'Vendor', value: 'Acme', position: 1 },
  ]);
});

it('an image and a specification that are deleted do not come back with the others', async () => {
  const image = (name: string, isDeleted = false) => ({ url: `https://x.example/${name}.png`, isDeleted });
  const specification = (name: string, isDeleted = false) => ({ name, value: 'x', isDeleted });
  const shelf = await openShelf({
    ...MUG,
    media: [image('gone', true), image('kept')],
    specifications: [specification('Gone', true), specification('Kept')],
  });
  await shelf.import('Handle,Title,Vendor,Variant Image\nmug,Mug,Acme,https://x.example/new.png');
  const { media, specifications } = await shelf.product();
  expect(media.flatMap(({ url, isDeleted }) => (isDeleted ? [] : url.slice(18, -4)))).toEqual(['kept', 'new']);
  expect(specifications.flatMap(({ name, isDeleted }) => (isDeleted ? [] : name))).toEqual(['Kept', 'Vendor']);
});

describe('an element without an id of a document', () => {
  it('is the only variant of the product, also with another SKU', async () => {
    const shelf = await openShelf(MUG);
    const before = await shelf.product();
    await shelf.put({ name: 'Mug', slug: 'mug', variants: [{ sku: 'OTHER', currency: 'EUR' }] });
    expect((await shelf.product()).variants).toMatchObject([{ id: before.variants[0]?.id, sku: 'OTHER' }]);
  });

  it('is the variant of its option values, and the option of its values', async () => {
    const shelf = await openShelf(SHIRT);
    const before = await shelf.product();
    const { options, variants } = shirt(['A2', 'B2', 'C2']);
    const optionValues = (value: string) => [{ option: 'Größe', value }];
    await shelf.put({
      name: 'Shirt',
      slug: 'shirt',
      options: options.map((option) => ({ ...option, name: 'Größe' })),
      variants: variants.map((variant, at) => ({ ...variant, optionValues: optionValues(['S', 'M', 'L'][at] ?? '') })),
    });
    const after = await shelf.product();
    expect(after.variants.map(({ id, sku }) => [id, sku])).toEqual(
      before.variants.map(({ id }, at) => [id, ['A2', 'B2', 'C2'][at]]),
    );
    expect(after.options.map(({ id, name }) => [id, name])).toEqual([[before.options[0]?.id, 'Größe']]);
  });
});
