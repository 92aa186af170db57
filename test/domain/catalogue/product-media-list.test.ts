import { describe, expect, it } from 'vitest';

import { targetNotFound } from '../../../src/domain/catalogue/product-media.ts';
import type { Media, Product, ProductDocument } from '../../../src/domain/catalogue/product.ts';
import { imported, made, messageOf, uuid } from '../../support/completed-product.ts';

type Given = NonNullable<ProductDocument['media']>[number];
const URL_A = 'https://cdn.test/a.png';
const URL_B = 'https://cdn.test/b.webp';
const [V, W, M] = [uuid('1'), uuid('2'), uuid('3')];
const variants = [
  { sku: 'V', currency: 'EUR', id: V },
  { sku: 'W', currency: 'EUR', id: W },
];
const withMedia = (...media: Given[]): ProductDocument => ({ name: 'Saw', variants, media });
const mediaOf = ({ media }: Product): Media => media[0]!;

describe('the variant of a media', () => {
  it.each<[string, Given, string | null]>([
    ['named by its id', { productVariantId: W }, W],
    ['named by its SKU', { variantSku: 'W' }, W],
    ['named by its id rather than its SKU', { productVariantId: V, variantSku: 'W' }, V],
    ['named by its SKU rather than an id that is null', { productVariantId: null, variantSku: 'W' }, W],
    ['not named', {}, null],
    ['null', { productVariantId: null }, null],
  ])('is the one %s', (_, given, id) => {
    expect(mediaOf(made(withMedia({ url: URL_A, ...given }))).productVariantId).toBe(id);
  });

  it.each<[string, Given]>([
    ['an id that is not of the document', { productVariantId: M }],
    ['an id that is not of the document beside a SKU that is', { productVariantId: M, variantSku: 'V' }],
    ['an empty id', { productVariantId: '' }],
    ['a SKU that is not of the document', { variantSku: 'X' }],
  ])('is refused as %s', (_, given) => {
    expect(messageOf(withMedia({ url: URL_B }, { url: URL_A, ...given }))).toBe(
      'media[1].productVariantId names a variant that the document does not have.',
    );
  });

  it('is another one when an import names another SKU, and none when it says null', () => {
    const current = made(withMedia({ url: URL_A, variantSku: 'V' }));
    const after = (given: Given) => mediaOf(imported(withMedia({ url: URL_A, ...given }), current)).productVariantId;
    expect(after({ variantSku: 'W' })).toBe(W);
    expect(after({ productVariantId: null })).toBeNull();
    expect(after({})).toBe(V);
  });

  it('is removed by an import that has the media but not the variant any more', () => {
    const current = made(withMedia({ url: URL_A, variantSku: 'V' }, { url: URL_B, variantSku: 'W' }));
    const media = [{ url: URL_A }, { url: URL_B }];
    expect(imported({ name: 'Saw', variants: variants.slice(1), media }, current).media).toMatchObject([
      { id: mediaOf(current).id, productVariantId: null },
      { productVariantId: W },
    ]);
  });
});

describe('what follows from the URL of a media', () => {
  const moved = (stored: Given, url: string): Media =>
    mediaOf(imported(withMedia({ id: M, url }), made(withMedia({ id: M, url: URL_A, ...stored }))));

  it('is its type and storage key, also when an import changes the URL', () => {
    expect(moved({}, URL_B)).toMatchObject({ url: URL_B, contentType: 'image/webp', storageKey: URL_B });
  });

  it('is not a type or storage key that was set apart from it', () => {
    expect(moved({ contentType: 'video/mp4', storageKey: 'files/a' }, URL_B)).toMatchObject({
      ...{ url: URL_B, contentType: 'video/mp4', storageKey: 'files/a' },
    });
  });
});

describe('a product with media', () => {
  it('loses them with a put that leaves them out, and keeps them with such an import', () => {
    const current = made(withMedia({ url: URL_A, variantSku: 'V' }, { url: URL_B }));
    expect(made({ name: 'Saw', variants }, current).media).toEqual([]);
    expect(imported({ name: 'Saw' }, current)).toEqual(current);
    expect(imported({ name: 'Saw', media: [] }, current).media).toEqual([]);
  });

  it('gets its first media with an import', () => {
    expect(imported(withMedia({ url: URL_A }), made(withMedia())).media).toHaveLength(1);
  });
});

it('a media joins only a product and a variant that exist', () => {
  expect(targetNotFound('product_not_found').message).toBe('The product does not exist in this store.');
  expect(targetNotFound('variant_not_found').message).toBe('The product does not have this variant.');
});
