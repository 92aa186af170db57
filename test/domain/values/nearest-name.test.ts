import { describe, expect, it } from 'vitest';

import { nameMeant } from '../../../src/domain/values/nearest-name.ts';

const NAMES = ['Variant Price', 'Option1 Name', 'SKU', 'Body (HTML)'];

describe('the name that was probably meant', () => {
  it.each([
    ['Varient Price', 'Variant Price'],
    ['Variant Prices', 'Variant Price'],
    ['Varant Price', 'Variant Price'],
    ['Vairant Price', 'Variant Price'],
    ['variant_price', 'Variant Price'],
    ['body html', 'Body (HTML)'],
  ])('of %j is %j', (given, meant) => {
    expect(nameMeant(given, NAMES)).toBe(meant);
  });

  it.each(['Option2 Name', 'Variant Tax', 'sk', '', 'Varient Prise'])('does not exist for %j', (given) => {
    expect(nameMeant(given, NAMES)).toBeNull();
  });
});
