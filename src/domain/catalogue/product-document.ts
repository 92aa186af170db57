/* eslint-disable complexity -- defaults, one for each field: the `??` are a list, no branching */
import { completeTranslations, Fault, same, stamped } from './element.ts';
import type { Making } from './element.ts';
import { documentPriceFault } from './price.ts';
import { checkProduct } from './product-checks.ts';
import {
  completeBundleComponents,
  completeDigitalAssets,
  completeOptions,
  completePersonalizationFields,
  completeProductCategories,
  completeSpecifications,
} from './product-elements.ts';
import { completeMedia, documentMediaFault } from './product-media-list.ts';
import { completeVariants } from './product-variants.ts';
import type { ContentBlock, Product, ProductDocument, Sketch } from './product.ts';
import { ok, refuse } from '../result.ts';
import type { Result } from '../result.ts';
import { normaliseSlug } from './slug.ts';
import { STANDARD_FIELDS, withStored } from './stored-fields.ts';
import { trimmed } from '../values/text.ts';

const contentBlocks = (given: readonly Sketch<ContentBlock>[] | undefined): ContentBlock[] =>
  (given ?? []).map((block, index) => ({ key: block.key ?? String(index), title: block.title ?? '', html: block.html ?? '' }));

const translations = (given: ProductDocument['translations']): Product['translations'] =>
  completeTranslations<Product['translations'][string]>(
    Object.fromEntries(
      Object.entries(given ?? {}).map(([locale, texts]) => [
        locale,
        { ...texts, contentBlocks: texts?.contentBlocks ? contentBlocks(texts.contentBlocks) : null },
      ]),
    ),
    { contentBlocks: null, description: null, metaDescription: null, metaTitle: null, name: null, updatedAt: null },
  );

/** A slug that is given is normalised and must leave something; one that is left out stays as it is (a new name never changes it). */
const slugOf = (document: ProductDocument, current: Product | null): string | null => {
  if (document.slug === undefined) return current?.slug ?? null;
  if (document.slug === null || document.slug === '') return null;
  const slug = normaliseSlug(document.slug);
  if (slug === null) throw new Fault('slug: has no letter or digit that a slug can hold');
  return slug;
};

/** These have rules of their own where they are absent. */
const NOT_FILLED = [...STANDARD_FIELDS, 'slug', 'media'];

const complete = (given: ProductDocument, current: Product | null, { keepsStored, ...rest }: Making): Product => {
  const keeps = keepsStored === true && current !== null && !current.isDeleted;
  const making = { ...rest, keepsStored: keeps };
  const document = keeps ? withStored(given, current, NOT_FILLED) : given;
  const id = document.id ?? current?.id ?? making.nextId();
  const status = document.status ?? 'Draft';
  const publishedAt = document.publishedAt ?? current?.publishedAt ?? (status === 'Active' ? making.now : null);
  const options = completeOptions(document, id, current, making);
  const variants = completeVariants(document, id, options, current, making);
  return {
    id,
    tenantId: making.storeId,
    createdAt: document.createdAt ?? current?.createdAt ?? making.now,
    updatedAt: document.updatedAt ?? current?.updatedAt ?? null,
    deletedAt: null,
    isDeleted: false,
    name: trimmed(document.name),
    slug: slugOf(document, current),
    description: document.description ?? null,
    metaTitle: document.metaTitle ?? null,
    metaDescription: document.metaDescription ?? null,
    kind: document.kind ?? 'Physical',
    status,
    groupKey: document.groupKey ?? null,
    position: document.position ?? 0,
    publishedAt,
    purchaseCount: document.purchaseCount ?? 0,
    ratingAverage: document.ratingAverage ?? 0,
    ratingCount: document.ratingCount ?? 0,
    refundable: document.refundable ?? true,
    returnWindowDays: document.returnWindowDays ?? null,
    sizeGuideHtml: document.sizeGuideHtml ?? null,
    tags: document.tags ?? [],
    categoryId: document.categoryId ?? null,
    category: null,
    taxClassId: document.taxClassId ?? null,
    taxClass: null,
    countdownDiscountPercent: document.countdownDiscountPercent ?? null,
    countdownStartsAt: document.countdownStartsAt ?? null,
    countdownEndsAt: document.countdownEndsAt ?? null,
    downloadLimit: document.downloadLimit ?? null,
    downloadExpiryDays: document.downloadExpiryDays ?? null,
    contentBlocks: contentBlocks(document.contentBlocks),
    translations: translations(document.translations),
    bundleComponents: completeBundleComponents(document, id, current, making),
    digitalAssets: completeDigitalAssets(document, id, current, making),
    media: completeMedia(document, id, variants, current, making),
    options,
    personalizationFields: completePersonalizationFields(document, id, current, making),
    productCategories: completeProductCategories(document, id, current, making),
    specifications: completeSpecifications(document, id, current, making),
    variants,
  };
};

/**
 * Makes a full product out of a document, in place of `current`: given fields stay, omitted ones take their defaults (with `keepsStored`: stay as
 * they are in `current`, unless that is deleted), ids and times are made where the current product has none to keep. `category` and `taxClass` come out null: the reader fills them in. A null slug of an
 * Active product is left for the caller to derive. `invalid` names the field at fault.
 */
export const completeProduct = (
  document: ProductDocument,
  { current, ...making }: Making & { readonly current: Product | null },
): Result<Product, 'invalid'> => {
  const fault = documentPriceFault(document) ?? documentMediaFault(document);
  if (fault !== null) return refuse('invalid', fault);
  try {
    const product = complete(document, current, making);
    checkProduct(product);
    if (!current) return ok(product);
    const before = { ...current, category: null, taxClass: null };
    return ok(stamped(product, before, document.updatedAt, making.now));
  } catch (error) {
    if (error instanceof Fault) return refuse('invalid', error.message);
    throw error;
  }
};

/** The names of the fields in which two states of a product differ. What follows from others (category, taxClass, updatedAt) does not count. */
export const changedFields = (before: Product, after: Product): (keyof Product)[] =>
  (Object.keys(after) as (keyof Product)[]).filter(
    (field) => !['category', 'taxClass', 'updatedAt'].includes(field) && !same(before[field], after[field]),
  );
