import { ok, type Result } from '../result.ts';
import { trimmed } from '../values/text.ts';
import { type At, type Special, listRules, stamped } from './element.ts';
import { completeRecord } from './fields/complete.ts';
import { PRODUCT } from './fields/product-fields.ts';
import { FirstFault, type Completion, type WriteContext } from './write-context.ts';
import { fromRows } from './from-rows.ts';
import { newRecord } from './new-record.ts';
import { Pairs } from './pair-elements.ts';
import { checkPrices } from './price.ts';
import { checkProduct } from './product-checks.ts';
import { checkMediaUrls, completeMedia } from './product-media-list.ts';
import { completeVariants } from './product-variants.ts';
import type { GivenElement, PersonalizationField, Product, ProductOption, ProductDocument } from './product.ts';
import { parseSlug } from './slug.ts';
import { recordWithStored } from './stored-fields.ts';

type GivenField = GivenElement<'personalizationFields'>;

const fieldOptions = ({ options = [] }: GivenField, { missing }: At<PersonalizationField>): PersonalizationField['options'] =>
  options.map(({ value, label, surcharge }, index) => {
    const key = value ?? label ?? '';
    if (key === '') missing?.(`options[${index}].value`);
    return { label: label ?? key, surcharge: surcharge ?? 0, value: key };
  });

/** An option with another name and the same values is the same option. */
const findOption = (given: readonly GivenElement<'options'>[], current: readonly ProductOption[]) => {
  const values = (option: Pick<GivenElement<'options'>, 'values'>): string =>
    JSON.stringify((option.values ?? []).map(({ value }) => value).toSorted());
  const pairs = new Pairs(given, current);
  pairs.inOrder({ given: ({ name }) => name, current: ({ name }) => name });
  pairs.byUnique({ given: values, current: values });
  return (option: GivenElement<'options'>) => pairs.of(option);
};

/** Lists whose elements have fields that follow from others, or are found in a way of their own. */
const SPECIAL_LISTS: {
  readonly [L in 'digitalAssets' | 'options' | 'personalizationFields']: Special<Product[L][number], GivenElement<L>>;
} = {
  digitalAssets: {
    rules: {
      fileName: ({ fileName, storageKey }) => fileName ?? storageKey,
      storageKey: ({ fileName, storageKey }) => storageKey ?? fileName,
    },
  },
  options: { matcher: findOption },
  personalizationFields: {
    rules: {
      key: ({ key, label }) => key ?? label,
      label: ({ key, label }) => label ?? key,
      options: fieldOptions,
    },
  },
};

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
