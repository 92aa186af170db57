/* eslint-disable complexity -- one default for each field: the `??` are a list without branches */
import { ok } from '../result.ts';
import type { Result } from '../result.ts';
import { trimmed } from '../values/text.ts';
import { stamped } from './element.ts';
import { FirstFault } from './first-fault.ts';
import { checkPrices } from './price.ts';
import { completeBundleComponents } from './product-bundle.ts';
import { checkProduct } from './product-checks.ts';
import { completeDigitalAssets, completeProductCategories, completeSpecifications } from './product-elements.ts';
import { checkMediaUrls, completeMedia } from './product-media-list.ts';
import { completeOptions } from './product-options.ts';
import { completePersonalizationFields } from './product-personalization.ts';
import { completeVariants } from './product-variants.ts';
import type { ContentBlock, Product, ProductDocument, Sketch } from './product.ts';
import { parseSlug } from './slug.ts';
import { recordWithStored } from './stored-fields.ts';
import { completeTranslations } from './translations.ts';
import type { Completion, WriteContext } from './write-context.ts';

const completeBlocks = (given: readonly Sketch<ContentBlock>[] | undefined): ContentBlock[] =>
  (given ?? []).map((block, index) => ({ key: block.key ?? String(index), title: block.title ?? '', html: block.html ?? '' }));

const NO_TEXTS: Product['translations'][string] = {
  contentBlocks: null,
  description: null,
  metaDescription: null,
  metaTitle: null,
  name: null,
  updatedAt: null,
};

const translations = (given: ProductDocument['translations']): Product['translations'] =>
  completeTranslations(
    Object.fromEntries(
      Object.entries(given ?? {}).map(([locale, texts]) => [
        locale,
        { ...texts, contentBlocks: texts?.contentBlocks ? completeBlocks(texts.contentBlocks) : null },
      ]),
    ),
    NO_TEXTS,
  );

/** An absent slug stays as it is: a new name never changes it. Null or an empty text clears it. */
const slugOf = ({ document, current, faults }: Completion): string | null => {
  if (document.slug === undefined) return current?.slug ?? null;
  if (document.slug === null || document.slug === '') return null;
  const slug = parseSlug(document.slug);
  if (!slug.ok) faults.add(slug.message);
  return slug.ok ? slug.value : null;
};

const complete = (completion: Completion): Product => {
  const { document, productId, current, storeId, now } = completion;
  const status = document.status ?? 'Draft';
  const options = completeOptions(completion);
  const variants = completeVariants(completion, options);
  return {
    id: productId,
    tenantId: storeId,
    createdAt: document.createdAt ?? current?.createdAt ?? now,
    updatedAt: document.updatedAt ?? current?.updatedAt ?? null,
    deletedAt: null,
    isDeleted: false,
    name: trimmed(document.name),
    slug: slugOf(completion),
    description: document.description ?? null,
    metaTitle: document.metaTitle ?? null,
    metaDescription: document.metaDescription ?? null,
    kind: document.kind ?? 'Physical',
    status,
    groupKey: document.groupKey ?? null,
    position: document.position ?? 0,
    publishedAt: document.publishedAt ?? current?.publishedAt ?? (status === 'Active' ? now : null),
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
    contentBlocks: completeBlocks(document.contentBlocks),
    translations: translations(document.translations),
    bundleComponents: completeBundleComponents(completion),
    digitalAssets: completeDigitalAssets(completion),
    media: completeMedia(completion, variants),
    options,
    personalizationFields: completePersonalizationFields(completion),
    productCategories: completeProductCategories(completion),
    specifications: completeSpecifications(completion),
    variants,
  };
};

/** Their rules on absence differ. */
const NOT_FILLED = ['slug', 'media'];

/**
 * Completes a document to the product that replaces `current`. An absent field takes its default;
 * with `keepsStored` it keeps its value in `current`, unless that is deleted. Absent ids and times
 * come from `current` or are made. `category` and `taxClass` are null, for the caller to fill in.
 * So is an absent slug. A refusal names the field.
 */
export const completeProduct = (
  given: ProductDocument,
  { current, keepsStored = false, storeId, nextId, now }: WriteContext & { readonly current: Product | null },
): Result<Product, 'invalid'> => {
  const refusal = checkPrices(given) ?? checkMediaUrls(given);
  if (refusal) return refusal;
  const keeps = keepsStored && current !== null && !current.isDeleted;
  const document = keeps ? recordWithStored(given, current, NOT_FILLED) : given;
  const faults = new FirstFault();
  const productId = document.id ?? current?.id ?? nextId();
  const product = complete({ storeId, nextId, now, keepsStored: keeps, document, productId, current, faults });
  const wrong = faults.refusal ?? checkProduct(product);
  if (wrong) return wrong;
  if (!current) return ok(product);
  const before = { ...current, category: null, taxClass: null };
  return ok(stamped(product, before, given.updatedAt, now));
};
