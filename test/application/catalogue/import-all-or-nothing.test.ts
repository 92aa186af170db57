import { describe, expect, it } from 'vitest';

import { openShelf } from '../../support/shelf.ts';

const SIZES = ['S', 'M', 'L'];
const shirt = (values: readonly string[]) => ({
  name: 'Shirt',
  slug: 'shirt',
  options: [{ name: 'Size', values: values.map((value) => ({ value })) }],
  variants: values.map((value) => ({
    ...{
      sku: `SH-${value}`,
      currency: 'EUR',
      price: 10,
      optionValues: [{ option: 'Size', value }],
      inventory: [{ available: 7 }],
    },
  })),
  media: [{ url: 'https://x.example/a.png' }],
});
const HEADER = 'Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price';

describe('nothing of a product is imported', () => {
  const NOTHING = 'Nothing of shirt is imported.';
  it.each([
    [
      'when a later row is bad',
      `${HEADER}\nshirt,Shirt,Size,S,SH-S,5\nshirt,,,M,SH-M,"12,50"\nshirt,,,L,SH-L,5\n`,
      {
        line: 3,
        message: `Variant Price "12,50" must be 0 to 999,999,999,999.99 with at most 4 decimals. Write a decimal point and no other signs, such as 12.50. ${NOTHING}`,
      },
    ],
    [
      'when its rows are apart',
      `${HEADER}\nshirt,Shirt,Size,S,SH-S,5\nmug,Mug,,,,\nshirt,Shirt,Size,M,SH-M,5\nsaw,Saw,,,,\nshirt,Shirt,Size,L,SH-L,5\n`,
      {
        line: 2,
        message: `The rows of this product are apart: they begin in lines 2, 4 and 6. Sort the file by Handle. ${NOTHING}`,
      },
    ],
    [
      'when the file ends within a row',
      `${HEADER}\nshirt,Shirt,Size,S,SH-S,5\nshirt,,,M`,
      { line: 3, message: `The file ends within this row. ${NOTHING}` },
    ],
    [
      'when a row of it may not be readable',
      `${HEADER}\nshirt,Shirt,Size,S,SH-S,5\nshirt,,,"M" x,SH-M,5\n`,
      { line: 2, message: `Line 3 cannot be imported, and may be a row of this product. ${NOTHING}` },
    ],
    [
      'when a row before its first one may be its own',
      `${HEADER}\nsaw,Saw,,,,\nshirt,Shirt,Size,"S" x,SH-S,5\nshirt,Shirt,Size,M,SH-M,5\n`,
      { line: 4, message: `Line 3 cannot be imported, and may be a row of this product. ${NOTHING}` },
    ],
  ])('%s', async (_, file, error) => {
    const shelf = await openShelf(shirt(SIZES));
    const before = await shelf.product();
    const report = await shelf.import(file);
    expect(report).toMatchObject({ updated: 0, variantsRemoved: 0 });
    expect(report.errors).toContainEqual(error);
    expect(await shelf.product()).toEqual(before);
  });

  it('and the rest of the file is imported', async () => {
    const shelf = await openShelf(shirt(SIZES));
    const report = await shelf.import(`${HEADER}\nmug,Mug,,,,\nshirt,Shirt,Size,S,SH-S,x\nsaw,Saw,,,,\n`);
    expect(report).toMatchObject({ read: 3, created: 2, failed: 1 });
  });
});

it('a row that cannot be read costs nothing of the product behind more rows of a bad one', async () => {
  const shelf = await openShelf(shirt(SIZES));
  const report = await shelf.import(`${HEADER}\nmug,,,,MUG-1,5\nmug,,,"M" x,MUG-2,5\nmug,,,,MUG-3,5\nsaw,Saw,,,SAW,5\n`);
  expect(report).toMatchObject({ created: 1, errors: [{ line: 2, message: 'Title is missing.' }, { line: 3 }] });
});

describe('a loss', () => {
  const S_ONLY = `${HEADER},Image Src\nshirt,Shirt,Size,S,SH-S,5,https://x.example/b.png\n`;

  it.each([false, true])('is in the report, dry run %s', async (isDryRun) => {
    const shelf = await openShelf(shirt(SIZES));
    expect(await shelf.import(S_ONLY, { isDryRun })).toMatchObject({
      ...{ updated: 1, variantsRemoved: 2, imagesRemoved: 1, stockRemoved: 14 },
      notes: [
        {
          line: 2,
          message:
            'Removes 2 variants that the file does not have: SH-M (7 in stock), SH-L (7 in stock). ' +
            'Removes 1 image that the file does not have: https://x.example/a.png.',
        },
      ],
    });
    expect(await shelf.read()).toHaveLength(isDryRun ? 3 : 1);
  });

  const many = (count: number): string[] => Array.from({ length: count }, (_, n) => `size-${String(n)}`);
  const fileOf = (values: readonly string[]): string =>
    [HEADER, ...values.map((value, at) => `shirt,${at === 0 ? 'Shirt,Size' : ','},${value},SH-${value},5\n`)].join('\n');

  it('of more than ten variants and more than a tenth is refused before anything is written, and can be allowed', async () => {
    const shelf = await openShelf(shirt(many(22)));
    const before = await shelf.product();
    const file = `${fileOf(many(11))}mug,Mug,,,,\n`;
    const wouldRemove = { variants: 11, ofVariants: 22, images: 0, stock: 77 };
    const message =
      'The import would remove 11 of 22 variants of the products in the file, with 77 units of stock, so nothing was imported. ' +
      'The notes of a dry run name them. To import the file all the same, allow removals: --allow-removals, or allowRemovals=1.';
    expect(await shelf.import(file)).toMatchObject({
      ...{ ended: 'refused', created: 0, updated: 0, variantsRemoved: 0, wouldRemove },
      errors: [{ message }],
    });
    expect(await shelf.product()).toEqual(before);
    expect(await shelf.import(file, { isDryRun: true })).toMatchObject({
      ...{ ended: 'refused', created: 1, updated: 1, variantsRemoved: 11, wouldRemove },
    });
    expect(await shelf.product()).toEqual(before);
    expect(await shelf.import(file, { isDryRun: true, allowsRemovals: true })).toMatchObject({ ended: 'complete' });
    expect(await shelf.import(file, { allowsRemovals: true })).toMatchObject({
      ...{ ended: 'complete', created: 1, updated: 1, variantsRemoved: 11, stockRemoved: 77, wouldRemove: null },
    });
    expect(await shelf.read()).toHaveLength(11);
  });

  it('is judged by the products that can be imported, as in a dry run', async () => {
    const shelf = await openShelf(shirt(many(22)));
    const cup = fileOf(many(200)).replaceAll('shirt', 'cup');
    expect(await shelf.import(cup)).toMatchObject({ created: 1 });
    const file = `${fileOf(many(11))}cup,Cup,,,,5\ncup,,,,,5\n`;
    const refused = { ended: 'refused', wouldRemove: { variants: 11, ofVariants: 22 } };
    expect(await shelf.import(file, { isDryRun: true })).toMatchObject(refused);
    expect(await shelf.import(file)).toMatchObject(refused);
  });

  it('is asked for also where all variants have one SKU', async () => {
    const all = shirt(many(22));
    const shelf = await openShelf({ ...all, variants: all.variants.map((variant) => ({ ...variant, sku: 'SH' })) });
    const file = fileOf(many(11)).replaceAll(/SH-[^,]+/g, 'SH');
    expect(await shelf.import(file)).toMatchObject({ ended: 'refused', wouldRemove: { variants: 11, ofVariants: 22 } });
    expect(await shelf.read()).toHaveLength(22);
  });

  it.each([
    [22, 12],
    [120, 108],
  ])('of few variants is not asked for: %i before and %i after', async (stored, left) => {
    const shelf = await openShelf(shirt(many(stored)));
    expect(await shelf.import(fileOf(many(left)))).toMatchObject({ ended: 'complete', variantsRemoved: stored - left });
  });

  it.each([
    ['are apart', '5'],
    ['are apart, and the first of them are bad', 'x'],
  ])('does not count where the rows of its product %s', async (_, price) => {
    const shelf = await openShelf(shirt(many(22)));
    const [first, ...rest] = fileOf(many(22)).replace(',5', `,${price}`).split('\n\n');
    const file = [first, ...rest.slice(0, 2), 'mug,Mug,,,,', ...rest.slice(2)].join('\n');
    expect(await shelf.import(file)).toMatchObject({ ended: 'complete', created: 1, failed: 1, variantsRemoved: 0 });
  });
});
