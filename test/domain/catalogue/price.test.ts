import { describe, expect, it } from 'vitest';

import { checkPrices, isPrice, parsePrice, PRICE_RULE } from '../../../src/domain/catalogue/price.ts';
import { refuse } from '../../../src/domain/result.ts';
import { parseUrl, isWebUrl } from '../../../src/domain/values/url.ts';
import { checkMediaUrls } from '../../../src/domain/catalogue/product-media-list.ts';

describe('a price', () => {
  it.each([0, -0, 0.0001, 12.5, 999_999_999_999.99, 123_456_789_012.3456])('%d is one', (price) => {
    expect(isPrice(price)).toBe(true);
  });
  it.each([-0.01, 1e12, 999_999_999_999.991, 0.00001, 1e-7, 1.23456, Number.NaN, Infinity])('%d is not', (price) => {
    expect(isPrice(price)).toBe(false);
  });

  it.each([
    ['0', 0],
    ['12.50', 12.5],
    ['999999999999.99', 999_999_999_999.99],
    ['12.5000', 12.5],
    ['12.34560000000000000001', null],
    ['1e3', null],
    ['-1', null],
    ['+1', null],
    [' 1', null],
    ['1 ', null],
    ['.5', null],
    ['5.', null],
    ['1,5', null],
    ['1.5.5', null],
    ['123.456', 123.456],
    ['1000000000000', null],
    ['0.00001', null],
    ['cheap', null],
    ['', null],
  ])('the text %j is %j', (text, price) => {
    expect(parsePrice(text)).toBe(price);
  });

  it.each([
    [
      'variants[1].price',
      {
        variants: [
          { sku: 'a', currency: 'EUR' },
          { sku: 'b', currency: 'EUR', price: -1 },
        ],
      },
    ],
    ['variants[0].price', { variants: [{ sku: 'a', currency: 'EUR', price: -1, compareAtPrice: -1 }] }],
    [
      'variants[0].compareAtPrice',
      {
        variants: [{ sku: 'a', currency: 'EUR', price: 1, compareAtPrice: -1 }],
        personalizationFields: [{ surcharge: -1, options: [{ surcharge: -1 }] }],
      },
    ],
    ['personalizationFields[0].surcharge', { personalizationFields: [{ surcharge: -1, options: [{ surcharge: -1 }] }] }],
    [
      'personalizationFields[1].options[0].surcharge',
      { personalizationFields: [{}, { surcharge: 1, options: [{ surcharge: -1 }, { surcharge: -1 }] }] },
    ],
    ['variants[0].compareAtPrice', { variants: [{ sku: 'a', currency: 'EUR', compareAtPrice: 1e12 }] }],
    ['personalizationFields[0].surcharge', { personalizationFields: [{ surcharge: 0.00001 }] }],
    ['personalizationFields[0].options[1].surcharge', { personalizationFields: [{ options: [{}, { surcharge: -1 }] }] }],
  ])('%s of a document is judged', (field, document) => {
    expect(checkPrices({ name: 'Saw', ...document })).toEqual(refuse('invalid', `${field} ${PRICE_RULE}.`));
  });
  it('a document without prices is accepted', () => {
    expect(checkPrices({ name: 'Saw', variants: [{ sku: 'a', currency: 'EUR', compareAtPrice: null }] })).toBeNull();
    expect(
      checkPrices({ name: 'Saw', personalizationFields: [{}, { surcharge: 1, options: [{}, { surcharge: 0 }] }] }),
    ).toBeNull();
    expect(checkPrices({ name: 'Saw' })).toBeNull();
  });
});

it('the rule on prices is a public text', () => {
  expect(PRICE_RULE).toBe('must be 0 to 999,999,999,999.99 with at most 4 decimals');
});

describe('a web URL', () => {
  it.each(['https://cdn.example/a.jpg', 'HTTP://cdn.example', 'https://bücher.de/x'])('%s is one', (text) => {
    expect(isWebUrl(text)).toBe(true);
  });
  it.each([
    '/a.jpg',
    '//cdn.example/a.jpg',
    'a.jpg',
    'ftp://cdn.example/a',
    'javascript:alert(1)',
    'https://a b',
    'https://',
    '',
  ])('%j is not', (text) => {
    expect(isWebUrl(text)).toBe(false);
  });
  it('the answer stays the same when V8 has optimised the call', () => {
    const refused = Array.from({ length: 20_000 }, () => parseUrl('https://bücher.de/x')).filter((url) => url === null);
    expect(refused).toHaveLength(0);
  });
  it('media of a document are judged by their URL, or by the storage key in its place', () => {
    const refusal = refuse('invalid', 'media[1].url must be an absolute http or https URL.');
    const good = { url: 'https://cdn.example/a.jpg', storageKey: 'a.jpg' };
    expect(checkMediaUrls({ name: 'Saw', media: [good, { url: '/a.jpg' }] })).toEqual(refusal);
    expect(checkMediaUrls({ name: 'Saw', media: [good, { storageKey: 'a.jpg' }] })).toEqual(refusal);
    expect(checkMediaUrls({ name: 'Saw', media: [good] })).toBeNull();
    expect(checkMediaUrls({ name: 'Saw', media: [{}, { url: '' }] })).toBeNull();
    expect(checkMediaUrls({ name: 'Saw' })).toBeNull();
  });
});
