import { describe, expect, it } from 'vitest';

import {
  categoryClaims as categoriesOf,
  bulkSlugClaims as slugsOf,
  updatedEvent,
  type BulkProduct,
} from '../../../src/domain/catalogue/bulk-product.ts';
import { bulkUpdate as update, type BulkContext } from '../../../src/domain/catalogue/bulk-update.ts';
import { parseChanges, type RawChange } from '../../../src/domain/catalogue/bulk-change.ts';
import { aBulkProduct } from '../../support/bulk-product.ts';

const NOW = '2026-11-21T12:00:00.000Z';
const A = '00000000-0000-7000-8000-00000000000a';
const B = '00000000-0000-7000-8000-00000000000b';
const C = '00000000-0000-7000-8000-00000000000c';
const CATEGORY = '00000000-0000-7000-8000-0000000000ca';

/** Parses once, then decides, in the order of the use case. */
const bulkUpdate = (raws: readonly RawChange[], given: BulkContext) => update(parseChanges(raws), given);
const categoryClaims = (raws: readonly RawChange[]) => categoriesOf(parseChanges(raws));
const slugClaims = (raws: readonly RawChange[], current: BulkContext['current']) => slugsOf(parseChanges(raws), current);

const context = (products: BulkProduct[], more: Partial<BulkContext> = {}): BulkContext => ({
  current: new Map(products.map((product) => [product.id, product])),
  holders: new Map(products.flatMap(({ slug, id }) => (slug === null ? [] : [[slug, id] as const]))),
  categories: new Set([CATEGORY]),
  now: NOW,
  ...more,
});

const one = (change: Omit<RawChange, 'id'>, product = aBulkProduct(), more: Partial<BulkContext> = {}) => {
  const { response, writes } = bulkUpdate([{ id: product.id, ...change }], context([product], more));
  return { result: response.results[0], after: writes[0]?.after, response };
};

describe('one field of one product', () => {
  it.each([
    ['name_required: an empty name', { name: '' }, 'name_required'],
    ['name_required: a blank name', { name: ' \t' }, 'name_required'],
    ['field_too_long: name over 255 characters', { name: 'x'.repeat(256) }, 'field_too_long'],
    ['field_too_long: slug over 255 characters', { slug: 'x'.repeat(256) }, 'field_too_long'],
    ['field_too_long: metaTitle over 255 characters', { metaTitle: 'x'.repeat(256) }, 'field_too_long'],
    ['field_too_long: metaDescription over 1000 characters', { metaDescription: 'x'.repeat(1001) }, 'field_too_long'],
    ['field_not_nullable: name null', { name: null }, 'field_not_nullable'],
    ['field_not_nullable: slug null', { slug: null }, 'field_not_nullable'],
    ['field_not_nullable: metaTitle null', { metaTitle: null }, 'field_not_nullable'],
    ['field_not_nullable: metaDescription null', { metaDescription: null }, 'field_not_nullable'],
    ['field_not_nullable: status null', { status: null }, 'field_not_nullable'],
    ['invalid_value: a number for a name', { name: 5 }, 'invalid_value'],
    ['invalid_value: an object for a slug', { slug: {} }, 'invalid_value'],
    ['invalid_value: a categoryId that is not a UUID', { categoryId: 'shoes' }, 'invalid_value'],
    ['invalid_value: only unknown fields', { price: 3, colour: null }, 'invalid_value'],
    ['slug_invalid: an empty slug', { slug: '' }, 'slug_invalid'],
    ['slug_invalid: nothing left after folding', { slug: '☃' }, 'slug_invalid'],
    ['category_not_found', { categoryId: B }, 'category_not_found'],
    ['status_invalid', { status: 'Deleted' }, 'status_invalid'],
  ])('%s', (_title, change, errorCode) => {
    const { result, response } = one(change);
    expect(result).toMatchObject({ status: 'Failed', errorCode, slug: 'dovetail-saw', previousSlug: null });
    expect(response).toMatchObject({ requested: 1, succeeded: 0, failed: 1, slugsChanged: 0 });
  });

  it.each([
    ['Omitted: unchanged', {}, 'Unchanged', {}],
    ['the same value changes nothing', { name: 'Dovetail saw', status: 'draft' }, 'Unchanged', {}],
    ['a new name never changes the slug', { name: 'Tenon saw' }, 'Updated', { name: 'Tenon saw', slug: 'dovetail-saw' }],
    ['255 characters, not bytes or UTF-16 units', { name: '😀'.repeat(255) }, 'Updated', { name: '😀'.repeat(255) }],
    ['a slug is folded', { slug: ' Éclair & Co ' }, 'Updated', { slug: 'eclair-co' }],
    ['Status. Compared case-insensitively', { status: 'ARCHIVED' }, 'Updated', { status: 'Archived' }],
    ['a category is set', { categoryId: CATEGORY.toUpperCase() }, 'Updated', { categoryId: CATEGORY }],
    ["a product's own slug, spelt otherwise, is not taken", { slug: 'Dovetail Saw' }, 'Unchanged', {}],
    ['a slug counts as it is kept: 300 hyphens and a letter', { slug: `${'-'.repeat(300)}x` }, 'Updated', { slug: 'x' }],
    ['Unknown fields beside others change nothing', { price: 3, name: 'Dovetail saw' }, 'Unchanged', {}],
  ])('%s', (_title, change, status, after) => {
    const { result, ...rest } = one(change);
    expect(result).toMatchObject({ status, error: null, errorCode: null });
    expect(result?.previousSlug).toBe(Object.hasOwn(change, 'slug') && status === 'Updated' ? 'dovetail-saw' : null);
    if (status === 'Updated') expect(rest.after).toMatchObject(after);
    else expect(rest.after).toBeUndefined();
  });

  it('Empty metaTitle or metaDescription clears', () => {
    const { after } = one({ metaTitle: '', metaDescription: '' }, aBulkProduct({ metaTitle: 'a', metaDescription: 'b' }));
    expect(after).toMatchObject({ metaTitle: null, metaDescription: null });
  });

  it('categoryId: null clears', () => {
    expect(one({ categoryId: null }, aBulkProduct({ categoryId: CATEGORY })).after).toMatchObject({ categoryId: null });
  });

  it('the category that a product has changes nothing, also when it is gone', () => {
    const { result } = one({ categoryId: CATEGORY }, aBulkProduct({ categoryId: CATEGORY }), { categories: new Set() });
    expect(result).toMatchObject({ status: 'Unchanged', errorCode: null });
  });

  it('an unknown category is named in the text', () => {
    expect(one({ categoryId: B }).result?.error).toBe(`categoryId ${B} does not exist in this store.`);
  });

  it('all or nothing: one invalid field leaves the valid ones unwritten', () => {
    expect(one({ name: 'Tenon saw', status: 'nope' }).after).toBeUndefined();
  });
});

describe('status', () => {
  it.each(['Active', 'Draft', 'Archived'] as const)('All moves between the three are allowed: from %s', (from) => {
    for (const to of ['Active', 'Draft', 'Archived'] as const) {
      expect(one({ status: to }, aBulkProduct({ status: from })).result?.status).toBe(from === to ? 'Unchanged' : 'Updated');
    }
  });
  it('entering Active needs a variant, else status_not_allowed', () => {
    expect(one({ status: 'Active' }, aBulkProduct({ variantCount: 0 })).result?.errorCode).toBe('status_not_allowed');
  });
  it('a refused activation says what is missing', () => {
    expect(one({ status: 'Active' }, aBulkProduct({ variantCount: 0 })).result?.error).toBe(
      'An Active product must have a variant.',
    );
    expect(one({ status: 'Active' }, aBulkProduct({ slug: null, name: '☃' })).result?.error).toBe(
      'An Active product must have a slug, and none can be derived from its name.',
    );
  });
  it('a product that is Active already keeps what it lacks', () => {
    const lacking = aBulkProduct({ status: 'Active', variantCount: 0, slug: null });
    const { result, after } = one({ status: 'Active', name: 'Tenon saw' }, lacking);
    expect(result).toMatchObject({ status: 'Updated', slug: null });
    expect(after).toEqual({ ...lacking, name: 'Tenon saw' });
  });
  it('entering Active derives the slug from the name that the change gives', () => {
    expect(one({ status: 'Active', name: 'Tenon saw' }, aBulkProduct({ slug: null })).after?.slug).toBe('tenon-saw');
  });
  it('entering Active with a given slug derives none', () => {
    expect(one({ status: 'Active', slug: 'given' }, aBulkProduct({ slug: null })).after?.slug).toBe('given');
  });
  it('entering Active derives a null slug from the name', () => {
    const { result, after } = one({ status: 'Active' }, aBulkProduct({ slug: null }));
    expect(after?.slug).toBe('dovetail-saw');
    expect(result).toMatchObject({ slug: 'dovetail-saw', previousSlug: null });
  });
  it('only a derived slug gets -2, -3', () => {
    const holders = new Map([
      ['dovetail-saw', B],
      ['dovetail-saw-2', C],
    ]);
    expect(one({ status: 'Active' }, aBulkProduct({ slug: null }), { holders }).after?.slug).toBe('dovetail-saw-3');
  });
  it('entering Active with a name that gives no slug: status_not_allowed', () => {
    expect(one({ status: 'Active' }, aBulkProduct({ slug: null, name: '☃' })).result?.errorCode).toBe('status_not_allowed');
  });
  it('The first activation sets publishedAt, which nothing clears', () => {
    expect(one({ status: 'Active' }).after?.publishedAt).toBe(NOW);
    const earlier = '2020-01-01T00:00:00.000Z';
    expect(one({ status: 'Active' }, aBulkProduct({ publishedAt: earlier })).after?.publishedAt).toBe(earlier);
    expect(one({ status: 'Archived' }, aBulkProduct({ publishedAt: earlier, status: 'Active' })).after?.publishedAt).toBe(
      earlier,
    );
  });
});

describe('several products, in request order', () => {
  const a = aBulkProduct();
  const b = aBulkProduct({ id: B, name: 'Tenon saw', slug: 'tenon-saw' });

  it('product_not_found is reported and counted, the rest is done', () => {
    const { response } = bulkUpdate([{ id: C }, { id: A, name: 'Saw' }], context([a]));
    expect(response).toMatchObject({ requested: 2, succeeded: 1, failed: 1 });
    expect(response.results.map(({ errorCode }) => errorCode)).toEqual(['product_not_found', null]);
  });
  it('the same id twice: the second is duplicate_in_request', () => {
    const { response, writes } = bulkUpdate(
      [
        { id: A, slug: 'x' },
        { id: A, slug: 'y' },
      ],
      context([a]),
    );
    expect(response.results[1]).toMatchObject({ errorCode: 'duplicate_in_request', slug: 'x' });
    expect(writes).toHaveLength(1);
    const unchanged = bulkUpdate([{ id: A }, { id: A, slug: 'y' }], context([a])).response;
    expect(unchanged.results[1]).toMatchObject({ errorCode: 'duplicate_in_request', slug: 'dovetail-saw' });
  });
  it('slug_taken: the text names the holder', () => {
    const { response } = bulkUpdate([{ id: A, slug: 'tenon-saw' }], context([a, b]));
    expect(response.results[0]).toMatchObject({ errorCode: 'slug_taken', slug: 'dovetail-saw' });
    expect(response.results[0]?.error).toContain(B);
  });
  it('a failed product has the reason as a text, and its slug when it exists', () => {
    const { response } = bulkUpdate([{ id: C }, { id: A }, { id: A }, { id: C }], context([a]));
    const failed = { status: 'Failed', previousSlug: null };
    const twice = (id: string) => `Product ${id} appears more than once in this request.`;
    expect(response.results).toEqual([
      { ...failed, id: C, slug: null, error: `Product ${C} does not exist in this store.`, errorCode: 'product_not_found' },
      { id: A, status: 'Unchanged', slug: 'dovetail-saw', previousSlug: null, error: null, errorCode: null },
      { ...failed, id: A, slug: 'dovetail-saw', error: twice(A), errorCode: 'duplicate_in_request' },
      { ...failed, id: C, slug: null, error: twice(C), errorCode: 'duplicate_in_request' },
    ]);
  });
  it('only a slug that changed counts as changed', () => {
    const { response } = bulkUpdate(
      [
        { id: A, name: 'Saw' },
        { id: B, slug: 'other' },
      ],
      context([a, b]),
    );
    expect(response).toMatchObject({ requested: 2, succeeded: 2, failed: 0, slugsChanged: 1 });
  });
  it('a slug that is taken is named with its holder', () => {
    const { response } = bulkUpdate([{ id: A, slug: 'tenon-saw' }], context([a, b]));
    expect(response.results[0]?.error).toBe(`slug tenon-saw belongs to product ${B}.`);
  });
  it('a product without a slug gives none up, and counts as one whose slug changed', () => {
    const { response } = bulkUpdate([{ id: A, slug: 'new' }, { id: B }], context([aBulkProduct({ slug: null }), b]));
    expect(response).toMatchObject({ succeeded: 2, failed: 0, slugsChanged: 1 });
    expect(response.results[0]).toMatchObject({ slug: 'new', previousSlug: null });
  });
  it('two products of one request that derive their slugs from one name get different ones', () => {
    const { response } = bulkUpdate(
      [
        { id: A, status: 'Active' },
        { id: B, status: 'Active' },
      ],
      context([aBulkProduct({ slug: null }), aBulkProduct({ id: B, slug: null })]),
    );
    expect(response.results.map(({ slug }) => slug)).toEqual(['dovetail-saw', 'dovetail-saw-2']);
  });
  it('a slug that an earlier product of the request gave up is free for a later one', () => {
    const { response, writes } = bulkUpdate(
      [
        { id: B, slug: 'other' },
        { id: A, slug: 'tenon-saw' },
      ],
      context([a, b]),
    );
    expect(response).toMatchObject({ succeeded: 2, slugsChanged: 2 });
    expect(response.results[1]).toMatchObject({ slug: 'tenon-saw', previousSlug: 'dovetail-saw' });
    expect(writes).toHaveLength(2);
  });
  it('a slug that a later product of the same request gives up is still taken for an earlier one', () => {
    const { response } = bulkUpdate(
      [
        { id: A, slug: 'tenon-saw' },
        { id: B, slug: 'other' },
      ],
      context([a, b]),
    );
    expect(response.results.map(({ errorCode }) => errorCode)).toEqual(['slug_taken', null]);
  });
  it('two products of one request cannot take one slug', () => {
    const { response } = bulkUpdate(
      [
        { id: A, slug: 'new' },
        { id: B, slug: 'new' },
      ],
      context([a, b]),
    );
    expect(response.results.map(({ errorCode }) => errorCode)).toEqual([null, 'slug_taken']);
  });
});

describe('the slugs and categories to lock', () => {
  it('claims the slugs that are named and the bases that an activation may derive, not those that stay', () => {
    const current = new Map([
      [A, aBulkProduct()],
      [B, aBulkProduct({ id: B, name: 'Tenon saw', slug: null })],
      [C, aBulkProduct({ id: C, name: 'Old', slug: null })],
    ]);
    const changes = [
      { id: A, slug: 'Dovetail Saw' },
      { id: B, status: 'active' },
      { id: C, status: 'Active', name: 'New name' },
    ];
    expect(slugClaims(changes, current)).toEqual({ slugs: [], bases: ['tenon-saw', 'new-name'] });
    expect(slugClaims([{ id: A, slug: 'x' }], current)).toEqual({ slugs: ['x'], bases: [] });
  });
  it('claims a base only for a product without a slug that enters Active and is given no slug', () => {
    const current = new Map([
      [A, aBulkProduct()],
      [B, aBulkProduct({ id: B, name: 'Tenon saw', slug: null })],
    ]);
    const none = { slugs: [], bases: [] };
    expect(slugClaims([{ id: A, status: 'Active' }], current)).toEqual(none);
    expect(slugClaims([{ id: B, status: 'Archived' }], current)).toEqual(none);
    expect(slugClaims([{ id: B, status: 'Active', slug: 'given' }], current)).toEqual({ slugs: ['given'], bases: [] });
    expect(slugClaims([{ id: B, status: 'Active', name: '☃' }], current)).toEqual(none);
  });
  it('claims nothing for a product that does not exist or a change that is at fault', () => {
    const current = new Map([[A, aBulkProduct()]]);
    const none = { slugs: [], bases: [] };
    expect(slugClaims([{ id: B, slug: 'x' }], current)).toEqual(none);
    expect(slugClaims([{ id: A, slug: 'x', name: '' }], current)).toEqual(none);
    expect(categoryClaims([{ id: A, categoryId: CATEGORY, name: '' }, { id: A }])).toEqual([]);
  });
  it('names each category once', () => {
    expect(
      categoryClaims([
        { id: A, categoryId: CATEGORY },
        { id: B, categoryId: CATEGORY },
        { id: C, categoryId: null },
      ]),
    ).toEqual([CATEGORY]);
  });
});

it('the first activation changes publishedAt too, and the event says so', () => {
  const { writes } = bulkUpdate([{ id: A, status: 'Active' }], context([aBulkProduct()]));
  const event = updatedEvent('store', 'installation', writes[0] ?? { before: aBulkProduct(), after: aBulkProduct() });
  expect(event.data).toMatchObject({ changedFields: ['status', 'publishedAt'], current: { status: 'Active', publishedAt: NOW } });
});

it('product.updated data: {id, changedFields, previous, current, origin}', () => {
  const before = aBulkProduct();
  const event = updatedEvent('store', 'installation', { before, after: { ...before, name: 'Saw', metaTitle: 'M' } });
  expect(event).toEqual({
    storeId: 'store',
    type: 'product.updated',
    resourceId: A,
    origin: 'installation',
    data: {
      id: A,
      changedFields: ['name', 'metaTitle'],
      previous: { name: 'Dovetail saw', metaTitle: null },
      current: { name: 'Saw', metaTitle: 'M' },
      origin: 'installation',
    },
  });
});
