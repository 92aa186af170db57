import { describe, expect, it } from 'vitest';

import type { Field, RecordField } from '../../../src/domain/fields/kinds.ts';
import {
  BUNDLE_COMPONENT,
  BUNDLE_VARIANT,
  CONTENT_BLOCK,
  DIGITAL_ASSET,
  MEDIA,
  OPTION,
  OPTION_VALUE,
  PERSONALIZATION_FIELD,
  PRODUCT_CATEGORY,
  SPECIFICATION,
} from '../../../src/domain/catalogue/fields/part-fields.ts';
import { PRODUCT } from '../../../src/domain/catalogue/fields/product-fields.ts';
import { isStandard } from '../../../src/domain/fields/standard-fields.ts';
import { INVENTORY, VARIANT, VARIANT_OPTION_VALUE } from '../../../src/domain/catalogue/fields/variant-fields.ts';
import { completeProduct } from '../../../src/domain/catalogue/product-document.ts';
import type { Product, ProductDocument } from '../../../src/domain/catalogue/product.ts';
import { completed, imported, LATER, made, NOW, STORE, uuid } from '../../support/completed-product.ts';

const CREATED = '2025-01-01T00:00:00.000Z';
const UPDATED = '2025-02-01T00:00:00.000Z';
const CATEGORY = uuid('ca');
const OTHER = uuid('0e');

const given = (id: string) => ({
  id: uuid(id),
  tenantId: STORE,
  createdAt: CREATED,
  updatedAt: UPDATED,
  deletedAt: null,
  isDeleted: false,
});
const productId = uuid('1');

type Values = Record<string, unknown>;

/** Fields of an answer's record besides the standard fields. */
const ownFields = ({ fields, isRow }: RecordField): [string, Field][] =>
  Object.entries(fields).filter(([name, { only }]) => only !== 'given' && !(isRow && isStandard(name)));
const isParent = (field: Field): boolean => field.kind === 'id' && field.only === 'answered';

let rows = 1;
/** The record with a value in each field that is not its default. */
const whole = (record: RecordField, parentId = ''): Values => {
  const standard = record.isRow ? given(String(rows++)) : null;
  const own = ownFields(record).map(([name, field]) => [name, isParent(field) ? parentId : other(name, field, standard?.id)]);
  return { ...standard, ...(Object.fromEntries(own) as Values) };
};

const OTHERS = { any: null, number: 7, id: OTHER, time: UPDATED };
const other = (name: string, field: Field, parentId?: string): unknown => {
  if (field.kind === 'text') return field.values?.findLast((value) => value !== field.default) ?? `${name} of it`;
  if (field.kind === 'flag') return !field.default;
  // The caller fills records in.
  if (field.kind === 'record') return null;
  if (field.kind !== 'list' && field.kind !== 'map') return OTHERS[field.kind];
  const part = field.of.kind === 'record' ? whole(field.of, parentId) : 'hand';
  return field.kind === 'list' ? [part] : { de: part };
};

const first = <T>([element]: readonly T[]): T => element ?? expect.fail('the list is empty');

/** Every field has a value that is not its default. */
const WHOLE = { ...(whole(PRODUCT) as Product), name: 'Saw', slug: 'saw', categoryId: CATEGORY };
/** Judged, so that not any text will do. */
first(WHOLE.media).url = 'https://cdn.test/a.png';
first(WHOLE.variants).currency = 'EUR';
/** Other than what they would follow from. */
Object.assign(first(WHOLE.variants), { compareAtPrice: 10, isOnSale: false, hasDimensions: false });
/** The ids name others of the same document. */
first(WHOLE.media).productVariantId = first(WHOLE.variants).id;
first(first(WHOLE.variants).optionValues).productOptionValueId = first(first(WHOLE.options).values).id;

const MADE = 'made';
const fresh = { tenantId: STORE, createdAt: NOW, updatedAt: null, deletedAt: null, isDeleted: false, id: MADE };

/** Each list has one element with only what is required. */
const LEAST: ProductDocument = {
  name: 'Saw',
  contentBlocks: [{}],
  translations: { de: { contentBlocks: [{}] }, fr: {}, it: undefined },
  bundleComponents: [{ componentProductId: OTHER, allowedVariants: [{ productVariantId: OTHER }] }],
  digitalAssets: [{ fileName: 'a.pdf' }],
  media: [{ url: 'https://cdn.test/a' }],
  options: [{ name: 'Length', values: [{ value: 'Short' }], translations: { de: {} } }],
  personalizationFields: [{ key: 'engraving', options: [{ value: 'front' }], translations: { de: {} } }],
  productCategories: [{ categoryId: CATEGORY }],
  specifications: [{ name: 'Teeth', translations: { de: {}, fr: undefined } }],
  variants: [{ sku: 'S', currency: 'EUR', optionValues: [{ value: 'Short' }], inventory: [{}] }],
};

/** Declared value of an absent field. */
const absent = (field: Field): unknown => {
  if (field.orNull) return null;
  if (isParent(field)) return MADE;
  if (field.isPlace) return field.kind === 'text' ? '0' : 0;
  if (field.kind === 'list') return [];
  return field.kind === 'map' ? {} : (field as { default?: unknown }).default;
};

/** The only element of its list, with the fields that are given, or that follow from what is given. */
const least = (record: RecordField, known: Values): Values => ({
  ...Object.fromEntries(ownFields(record).map(([name, field]) => [name, absent(field)])),
  ...(record.isRow && fresh),
  ...known,
});

const { translations: TRANSLATIONS } = PRODUCT.fields;
const COMPLETED = least(PRODUCT, {
  name: 'Saw',
  contentBlocks: [least(CONTENT_BLOCK, {})],
  translations: {
    de: least(TRANSLATIONS.of, { contentBlocks: [least(CONTENT_BLOCK, {})] }),
    fr: least(TRANSLATIONS.of, {}),
    it: least(TRANSLATIONS.of, {}),
  },
  bundleComponents: [
    least(BUNDLE_COMPONENT, {
      componentProductId: OTHER,
      allowedVariants: [least(BUNDLE_VARIANT, { productVariantId: OTHER })],
    }),
  ],
  digitalAssets: [least(DIGITAL_ASSET, { fileName: 'a.pdf', storageKey: 'a.pdf' })],
  media: [
    least(MEDIA, {
      contentType: 'application/octet-stream',
      storageKey: 'https://cdn.test/a',
      url: 'https://cdn.test/a',
    }),
  ],
  options: [
    least(OPTION, {
      name: 'Length',
      translations: { de: { name: null } },
      values: [least(OPTION_VALUE, { value: 'Short' })],
    }),
  ],
  personalizationFields: [
    least(PERSONALIZATION_FIELD, {
      key: 'engraving',
      label: 'engraving',
      options: [{ label: 'front', surcharge: 0, value: 'front' }],
      translations: { de: { helpText: null, label: null, placeholder: null, optionLabels: null } },
    }),
  ],
  productCategories: [least(PRODUCT_CATEGORY, { categoryId: CATEGORY })],
  specifications: [
    least(SPECIFICATION, {
      name: 'Teeth',
      translations: { de: { name: null, value: null }, fr: { name: null, value: null } },
    }),
  ],
  variants: [
    least(VARIANT, {
      sku: 'S',
      currency: 'EUR',
      isOnSale: false,
      hasDimensions: false,
      optionValues: [least(VARIANT_OPTION_VALUE, { productOptionValueId: MADE })],
      inventory: [least(INVENTORY, { available: 0, onHand: 0, concurrencyStamp: MADE, warehouseId: STORE })],
    }),
  ],
}) as Product;

describe('the fields of a document', () => {
  it('are kept as they are given', () => {
    expect(made(WHOLE)).toEqual(WHOLE);
  });

  it('have their defaults where the document leaves them out', () => {
    expect(completeProduct(LEAST, { storeId: STORE, nextId: () => MADE, now: NOW, current: null })).toEqual({
      ok: true,
      value: COMPLETED,
    });
  });

  it('have their defaults also where a put leaves out what is stored', () => {
    const { id, slug, createdAt, publishedAt } = WHOLE;
    const lists = { bundleComponents: [], digitalAssets: [], media: [], options: [], personalizationFields: [] };
    expect(made({ name: 'Saw' }, WHOLE)).toEqual({
      ...COMPLETED,
      ...lists,
      ...{ contentBlocks: [], translations: {}, productCategories: [], specifications: [], variants: [] },
      ...{ id, slug, createdAt, publishedAt, updatedAt: LATER },
    });
  });

  it('keep what is stored where an import leaves them out', () => {
    expect(imported({ name: 'Saw' }, WHOLE)).toEqual(WHOLE);
  });

  it('have their defaults in an import of a product that the store does not have', () => {
    expect(imported({ name: 'Saw' }, null)).toMatchObject({ name: 'Saw', status: 'Draft', tags: [], media: [] });
  });

  it('keep nothing of a deleted product that an import makes again', () => {
    const deleted = { ...WHOLE, isDeleted: true, deletedAt: UPDATED };
    expect(imported({ name: 'Saw', slug: 'saw' }, deleted)).toMatchObject({
      ...{ id: productId, deletedAt: null, isDeleted: false, description: null, tags: [], variants: [], specifications: [] },
    });
  });
});

describe('the times and the id of a product', () => {
  const stored = made({ name: 'Saw' });

  it('are those of the document, then those that are stored', () => {
    expect(made({ ...WHOLE, id: uuid('f') })).toMatchObject({ id: uuid('f'), createdAt: CREATED, updatedAt: UPDATED });
    const again = made({ name: 'Saw', createdAt: CREATED, publishedAt: UPDATED }, stored);
    expect(again).toMatchObject({ id: stored.id, createdAt: CREATED, publishedAt: UPDATED });
    expect(made({ name: 'Plane' }, stored)).toMatchObject({ id: stored.id, createdAt: NOW, publishedAt: null });
  });

  it('say when it was first published, which a given time precedes', () => {
    const active: ProductDocument = { name: 'Saw', slug: 'saw', status: 'Active', variants: [{ sku: 'S', currency: 'EUR' }] };
    expect(made(active).publishedAt).toBe(NOW);
    expect(made({ ...active, publishedAt: CREATED }).publishedAt).toBe(CREATED);
    expect(made(active, stored).publishedAt).toBe(LATER);
    expect(made({ ...active, status: 'Archived' }).publishedAt).toBeNull();
  });

  it('say when it was changed: never without a change, and at the given time if that is a new one', () => {
    expect(made({ name: 'Saw' }, stored)).toEqual(stored);
    expect(made({ name: 'Plane' }, stored).updatedAt).toBe(LATER);
    expect(made({ name: 'Plane', updatedAt: UPDATED }, stored).updatedAt).toBe(UPDATED);
    const dated = made({ name: 'Saw', updatedAt: UPDATED });
    expect(made({ name: 'Saw', updatedAt: UPDATED }, dated).updatedAt).toBe(UPDATED);
    expect(made({ name: 'Plane', updatedAt: UPDATED }, dated).updatedAt).toBe(LATER);
    expect(made({ name: 'Plane', updatedAt: null }, dated).updatedAt).toBe(LATER);
  });

  it('do not change when only the embedded category and tax class are absent', () => {
    const category = { ...given('ca'), name: 'Saws', slug: null, parentId: null, position: 0 };
    const taxClass = { ...given('0e'), name: 'Standard', code: 'std', isDefault: false };
    expect(made(WHOLE, { ...WHOLE, category, taxClass })).toEqual(WHOLE);
  });
});

describe('the slug of a document', () => {
  it.each([
    ['cleared by null', null, null],
    ['cleared by an empty text', '', null],
    ['folded', 'Säge 1', 'sage-1'],
    ['as stored without one', undefined, 'saw'],
  ])('is %s', (_, slug, expected) => {
    expect(made({ name: 'Saw', slug }, WHOLE).slug).toBe(expected);
  });

  it('stays as stored in an import without one, even if it cannot be given like this today', () => {
    expect(imported({ name: 'Saw' }, { ...WHOLE, slug: 'Old_Slug' }).slug).toBe('Old_Slug');
  });
});

it('a name is kept without white space at its ends', () => {
  expect(made({ name: '  Saw ' }).name).toBe('Saw');
});

it('the price is judged before the media, and both before the rest', () => {
  const wrong: ProductDocument = { name: '', variants: [{ sku: 'S', currency: 'EUR', price: -1 }], media: [{ url: '/a' }] };
  expect(completed(wrong)).toMatchObject({ message: expect.stringMatching(/^variants\[0\]\.price/) });
  expect(completed({ ...wrong, variants: [] })).toMatchObject({ message: expect.stringMatching(/^media\[0\]\.url/) });
  expect(completed({ ...wrong, variants: [], media: [] })).toMatchObject({ message: 'name is required.' });
});
