import { ok, type Result } from '../result.ts';
import { trimmed } from '../values/text.ts';
import { listRules, stamped } from './element.ts';
import { completeRecord } from './fields/complete.ts';
import { PRODUCT } from './fields/product-fields.ts';
import { FirstFault } from './first-fault.ts';
import { fromRows } from './from-rows.ts';
import { newRecord } from './new-record.ts';
import { checkPrices } from './price.ts';
import { checkProduct } from './product-checks.ts';
import { SPECIAL_LISTS } from './product-elements.ts';
import { checkMediaUrls, completeMedia } from './product-media-list.ts';
import { completeVariants } from './product-variants.ts';
import type { Product, ProductDocument, ProductOption } from './product.ts';
import { parseSlug } from './slug.ts';
import { recordWithStored } from './stored-fields.ts';
import type { Completion, WriteContext } from './write-context.ts';

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
  const at = { index: 0, id: productId, field: '', before: current ?? undefined };
  const lists = listRules<Product, ProductDocument>(completion, PRODUCT, SPECIAL_LISTS);
  // First, since media and variants refer to them.
  const options = (lists.options?.(document, at) ?? []) as ProductOption[];
  const variants = completeVariants(completion, options);
  const standard = {
    ...newRecord(productId, storeId, document.createdAt ?? current?.createdAt ?? now),
    updatedAt: document.updatedAt ?? current?.updatedAt ?? null,
  };
  const rules: typeof lists = {
    ...lists,
    name: ({ name }) => trimmed(name),
    slug: () => slugOf(completion),
    publishedAt: ({ publishedAt, status }) => publishedAt ?? current?.publishedAt ?? (status === 'Active' ? now : null),
    category: () => null,
    taxClass: () => null,
    media: () => completeMedia(completion, variants),
    options: () => options,
    variants: () => variants,
  };
  return completeRecord(PRODUCT, standard, document, rules, at);
};

/** Slug and media have other rules on absence. */
const NOT_FILLED = ['slug', 'media'];

/** The product whose values the document keeps where it lacks them. */
const storedOf = (current: Product | null, keepsStored: boolean): Product | null =>
  keepsStored && current?.isDeleted === false ? current : null;

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
  const stored = storedOf(current, keepsStored);
  const whole = fromRows(given, stored, nextId);
  if (!whole.ok) return whole;
  const document = stored ? recordWithStored(PRODUCT, whole.value, stored, NOT_FILLED) : whole.value;
  const faults = new FirstFault();
  const productId = document.id ?? current?.id ?? nextId();
  const product = complete({ storeId, nextId, now, keepsStored: stored !== null, document, productId, current, faults });
  const wrong = faults.refusal ?? checkProduct(product);
  if (wrong) return wrong;
  if (!current) return ok(product);
  const before = { ...current, category: null, taxClass: null };
  return ok(stamped(product, before, given.updatedAt, now));
};
