import { describe, expect, it } from 'vitest';

import { nameMeant, nearestName } from '../../../src/domain/values/nearest-name.ts';

const NAMES = ['Variant Price', 'Option1 Name', 'SKU', 'Body (HTML)'];

describe('the name that was probably meant', () => {
  it.each([
    ['Varient Price', 'Variant Price'],
    ['Variant Prices', 'Variant Price'],
    ['Varant Price', 'Variant Price'],
    ['Vairant Price', 'Variant Price'],
    ['variant_price', 'Variant Price'],
    ['body html', 'Body (HTML)'],
    ['sku', 'SKU'],
    ['xsku', 'SKU'],
  ])('of %j is %j', (given, meant) => {
    expect(nameMeant(given, NAMES)).toBe(meant);
  });

  it.each(['Option2 Name', 'Variant Tax', 'sk', '', 'Varient Prise'])('does not exist for %j', (given) => {
    expect(nameMeant(given, NAMES)).toBeNull();
  });
});

describe('the nearest name', () => {
  it.each([
    ['saw', 'saw', 0],
    ['', 'saw', 3],
    ['wxsaw', 'saw', 2],
    ['saw', 'wxsaw', 2],
    ['ab', 'ba', 1],
    ['ab', 'xy', 2],
    ['ab', 'xa', 2],
    ['ab', 'bx', 2],
    ['kitten', 'sitting', 3],
  ])('%j becomes %j with %i letters', (given, name, letters) => {
    expect(nearestName(given, [name])).toEqual({ name, letters });
    expect(nearestName(given, [name], letters)).toEqual({ name, letters });
    expect(nearestName(given, [name], letters - 1)).toBeNull();
  });
  it('is the first of those that differ the least', () => {
    expect(nearestName('saw', ['law', 'saws', 'sea'])).toEqual({ name: 'law', letters: 1 });
    expect(nearestName('saw', ['sea', 'law'])).toEqual({ name: 'law', letters: 1 });
  });
});
