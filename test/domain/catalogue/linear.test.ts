import { describe, expect, it } from 'vitest';

import { sequentialIds } from '../../memory/ids.ts';
import { completeElements } from '../../../src/domain/catalogue/element.ts';
import { PRODUCT } from '../../../src/domain/catalogue/fields/product-fields.ts';
import { FirstFault } from '../../../src/domain/catalogue/write-context.ts';
import { listFigures } from '../../../src/domain/catalogue/list-figures.ts';
import { completeProduct } from '../../../src/domain/catalogue/product-document.ts';
import { productEvents } from '../../../src/domain/catalogue/product-events.ts';
import type { GivenElement, Product, ProductDocument, Specification } from '../../../src/domain/catalogue/product.ts';
import { taxonomyClaims } from '../../../src/domain/catalogue/taxonomy-claims.ts';
import { Taxonomy } from '../../../src/domain/catalogue/taxonomy.ts';

const ids = sequentialIds();
const context = {
  storeId: '00000000-0000-7000-8000-00000000aaaa',
  nextId: () => ids.next(),
  now: '2026-01-01T00:00:00.000Z',
};

const made = (document: ProductDocument, current: Product | null = null): Product => {
  const result = completeProduct(document, { ...context, current, keepsStored: document.isOfRows === true });
  return result.ok ? result.value : expect.fail(result.message);
};
const upTo = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));

describe('a large document costs linear time', () => {
  it('matching elements computes each key once', () => {
    const specification = (n: number): Specification => ({
      ...made({ name: 'x', specifications: [{ name: `s${n}`, value: '' }] }).specifications[0]!,
    });
    const current = upTo(500, specification);
    // In the opposite order each search used to go through all the others.
    const given = [...current].reverse().map(({ name }): GivenElement<'specifications'> => ({ name }));
    let calls = 0;
    const list = PRODUCT.fields.specifications;
    const elements = { given, current, field: 'specifications', parentId: '' };
    const result = completeElements<Specification, (typeof given)[number]>(
      { ...context, faults: new FirstFault() },
      list,
      elements,
      {
        key: ({ name }) => {
          calls += 1;
          return name;
        },
      },
    );
    expect(result.map(({ id }) => id)).toEqual([...current].reverse().map(({ id }) => id));
    expect(calls).toBe(500 + 500);
  });

  // Seconds of processor time, so that other processes count little. On a busy machine linear work took 2 s at most and quadratic work 80 s at least.
  const BOUND = 25;
  const timed = (work: () => void): number => {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000_000;
  };

  it('30,000 specifications, created and put again in the opposite order', () => {
    const specifications = upTo(30_000, (n) => ({ name: `s${n}`, value: 'v' }));
    expect(
      timed(() => {
        const first = made({ name: 'x', specifications });
        const again = made({ name: 'x', specifications: specifications.reverse() }, first);
        expect(productEvents(first, again, String)).toHaveLength(1);
      }),
    ).toBeLessThan(BOUND);
  }, 120_000);

  it('8,000 variants with options, stock and media, created and put again', () => {
    const document: ProductDocument = {
      name: 'x',
      options: [{ name: 'Size', values: upTo(8_000, (n) => ({ value: `v${n}` })) }],
      variants: upTo(8_000, (n) => ({
        sku: `s${n}`,
        currency: 'EUR',
        optionValues: [{ value: `v${n}` }],
        inventory: [{ available: n % 7 }],
      })),
      media: upTo(8_000, (n) => ({ url: `https://cdn.test/${n}.png`, variantSku: `s${n}` })),
    };
    const moved = { ...document, variants: document.variants?.map((one) => ({ ...one, inventory: [{ available: 9 }] })) };
    expect(
      timed(() => {
        const first = made(document);
        expect(productEvents(first, made(moved, first), String)).toHaveLength(1);
      }),
    ).toBeLessThan(BOUND);
  }, 120_000);

  it('8,000 variants with options of their own, put again with other SKUs and values', () => {
    const document = (text: string): ProductDocument => ({
      name: 'x',
      options: upTo(8_000, (n) => ({ name: `o${n}`, values: [{ value: text }] })),
      variants: upTo(8_000, (n) => ({
        sku: `${text}${n}`,
        currency: 'EUR',
        optionValues: [n, (n + 1) % 8_000].map((at) => ({ option: `o${at}`, value: text })),
      })),
    });
    const first = made(document('a'));
    expect(timed(() => void made(document('b'), first))).toBeLessThan(BOUND);
  }, 300_000);

  it('5,000 rows that mean no stored variant', () => {
    const document = (text: string): ProductDocument => ({
      name: 'x',
      isOfRows: true,
      options: [{ name: 'Size', values: upTo(5_000, (n) => ({ value: `${text}${n}` })) }],
      variants: upTo(5_000, (n) => ({
        sku: `${text}${n}`,
        currency: 'EUR',
        optionValues: [{ option: 'Size', value: `${text}${n}` }],
      })),
    });
    const first = made(document('a'));
    expect(timed(() => void made(document('b'), first))).toBeLessThan(BOUND);
  }, 300_000);

  it('100,000 categories that the store has', () => {
    const standard = { tenantId: context.storeId, createdAt: context.now, updatedAt: null, deletedAt: null, isDeleted: false };
    const categories = upTo(100_000, (n) => ({
      ...standard,
      id: ids.next(),
      name: `c${n}`,
      slug: `c${n}`,
      parentId: null,
      position: 0,
    }));
    const document: ProductDocument = { name: 'x', productCategories: categories.map(({ slug }) => ({ category: { slug } })) };
    expect(
      timed(() => {
        taxonomyClaims([document]);
        const resolved = new Taxonomy(categories, [], context).resolve(document);
        expect(resolved.ok && resolved.value.productCategories?.at(-1)?.categoryId).toBe(categories.at(-1)?.id);
      }),
    ).toBeLessThan(BOUND);
  }, 120_000);

  it('the figures of 300,000 variants', () => {
    const [variant] = made({ name: 'x', variants: [{ sku: 's', currency: 'EUR', price: 2 }] }).variants;
    expect(listFigures({ variants: upTo(300_000, () => variant!), media: [] })).toMatchObject({ minPrice: 2, maxPrice: 2 });
  });
});
