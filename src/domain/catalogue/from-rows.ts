import { ok, refuse, type Refusal, type Result } from '../result.ts';
import { countsOf } from '../values/counts.ts';
import { plural } from '../values/plural.ts';
import { live } from './live.ts';
import { pairVariants, saidSku, textKey } from './pair-variants.ts';
import type { Media, MediaDocument, ProductDocument, Product, Variant, VariantDocument } from './product.ts';
import { mergeOptions, type MergedOptions } from './row-options.ts';

/**
 * The media of a document that comes from rows. An image belongs to the variant whose row names it.
 * An image that no row names keeps its variant, unless that variant's row names another.
 */
const rowMedia = (
  { media: given, variants = [], keepsMedia }: ProductDocument,
  stored: readonly Media[],
): MediaDocument[] | undefined => {
  if (!given) return undefined;
  const byUrl = new Map(stored.map((media) => [media.url, media]));
  const hasImage = new Set(given.flatMap(({ variantAt }) => (variantAt == null ? [] : [variants[variantAt]?.id])));
  const owned = ({ variantAt, ...media }: MediaDocument): MediaDocument => {
    if (variantAt !== undefined)
      return { ...media, productVariantId: variantAt === null ? null : (variants[variantAt]?.id ?? null) };
    const owner = byUrl.get(media.url ?? '')?.productVariantId;
    return owner != null && hasImage.has(owner) ? { ...media, productVariantId: null } : media;
  };
  const named = given.map(owned);
  if (!keepsMedia) return named;
  const byName = new Map(named.map((media) => [media.url, media]));
  const kept = stored.map(({ id, url }) => ({ ...owned({ url }), ...byName.get(url), id }));
  return [...kept, ...named.filter(({ url }) => !byUrl.has(url ?? ''))];
};

type Lists = Pick<Product, 'media' | 'options' | 'specifications' | 'variants'>;
const NOTHING: Lists = { media: [], options: [], specifications: [], variants: [] };

const liveLists = ({ media, options, specifications, variants }: Lists): Lists => ({
  media: live(media),
  options: live(options),
  specifications: live(specifications),
  variants: live(variants),
});

const hasValues = ({ optionValues }: VariantDocument): boolean => Boolean(optionValues?.length);

const OPTIONS = 'Add the option columns.';
const ANY = 'Add the column Variant SKU or the option columns.';

/** Refuses rows that cannot be distinguished. */
const checkDistinct = (variants: readonly VariantDocument[]): Refusal<'invalid'> | null => {
  const unvalued = variants.filter((variant) => !hasValues(variant));
  for (const [sku, count] of countsOf(unvalued.map(saidSku))) {
    if (count === 1) continue;
    return sku === undefined
      ? refuse('invalid', `${count} rows without a SKU and without option values cannot be distinguished. ${ANY}`)
      : refuse('invalid', `${count} rows with the SKU ${sku} cannot be distinguished. ${OPTIONS}`);
  }
  return null;
};

/** The stored variants that no row means, in all, and counted by SKU and by option values. */
const countFree = (free: readonly Variant[], { storedTextsOf }: MergedOptions) => ({
  count: free.length,
  bySku: countsOf(free.map(({ sku }) => sku)),
  byTexts: countsOf(free.map((stored) => textKey(storedTextsOf(stored)))),
});

/** Refuses a row that may mean a stored variant, or may be a new one. */
const refuseUnclear = (
  variant: VariantDocument,
  free: ReturnType<typeof countFree>,
  { needed, textsOf }: MergedOptions,
): Refusal<'invalid'> | null => {
  const sku = saidSku(variant);
  const name = sku === undefined ? 'A row without a SKU' : `The row with the SKU ${sku}`;
  const said = new Set(variant.optionValues?.map(({ option }) => option));
  const lacking = needed.find((option) => !said.has(option));
  if (said.size > 0) {
    if (lacking !== undefined) {
      return refuse('invalid', `${name} is a new variant, and has no value of the option ${lacking}. ${OPTIONS}`);
    }
    const same = free.byTexts.get(textKey(textsOf(variant)));
    return same === undefined
      ? null
      : refuse('invalid', `${name} can be any of ${plural(same, 'stored variant')} with its option values.`);
  }
  const equal = sku === undefined ? undefined : free.bySku.get(sku);
  if (equal !== undefined) return refuse('invalid', `${name} can be any of ${plural(equal, 'stored variant')}. ${OPTIONS}`);
  if (sku === undefined && free.count > 0) {
    return refuse('invalid', `${name} can be any of ${plural(free.count, 'stored variant')}. ${ANY}`);
  }
  return lacking === undefined ? null : refuse('invalid', `${name} is a new variant, and has no option values. ${OPTIONS}`);
};

/** Refuses variants with equal values of all options, unless each has a SKU of its own. */
const checkDoubled = ({ options, variants = [] }: ProductDocument, merged: MergedOptions): Refusal<'invalid'> | null => {
  if (!options?.length) return null;
  const skus = new Map<string, string[]>();
  for (const variant of variants) {
    const texts = merged.textsOf(variant);
    if (texts.length > 0) skus.set(textKey(texts), [...(skus.get(textKey(texts)) ?? []), saidSku(variant) ?? '']);
  }
  for (const [key, given] of skus) {
    const own = new Set(given.filter((sku) => sku !== ''));
    if (given.length === 1 || own.size === given.length) continue;
    const texts = (JSON.parse(key) as [string, string][]).map(([option, value]) => `${option} ${value}`).join(', ');
    return refuse(
      'invalid',
      `${given.length} rows have the same option values: ${texts}. Each variant needs option values or a SKU of its own.`,
    );
  }
  return null;
};

const specifications = (
  given: ProductDocument['specifications'],
  stored: Lists['specifications'],
): ProductDocument['specifications'] => {
  if (!given || stored.length === 0) return given;
  const byName = new Map(given.map((one) => [one.name, one]));
  const kept = stored.map(({ id, name, value }) => ({ id, name, value: byName.get(name)?.value ?? value }));
  const names = new Set(stored.map(({ name }) => name));
  return [...kept, ...given.filter(({ name }) => !names.has(name)).map(({ name, value }) => ({ name, value }))];
};

const withVariants = (
  document: ProductDocument & { readonly variants: readonly VariantDocument[] },
  stored: Lists,
  nextId: () => string,
): Result<ProductDocument, 'invalid'> => {
  const unclear = checkDistinct(document.variants);
  if (unclear) return unclear;
  const pairs = pairVariants(document, stored);
  const merged = mergeOptions(document, stored.options, pairs);
  const free = countFree(pairs.free, merged);
  for (const variant of document.variants) {
    const refusal = pairs.of(variant) ? null : refuseUnclear(variant, free, merged);
    if (refusal) return refusal;
  }
  const owners = new Set(document.media?.map(({ variantAt }) => variantAt));
  const variants = document.variants.map((variant, at): VariantDocument => {
    const before = pairs.of(variant);
    const id = before?.id ?? (owners.has(at) ? nextId() : undefined);
    return { ...variant, id, sku: (variant.keepsSku && before?.sku) || variant.sku, optionValues: merged.valuesOf(variant) };
  });
  const doubled = checkDoubled(document, merged);
  if (doubled) return doubled;
  return ok({ ...document, variants, options: merged.options, media: rowMedia({ ...document, variants }, stored.media) });
};

/**
 * A whole document of one that comes from the rows of a CSV file. What the rows do not speak of stays
 * as it is stored: options, specifications and media beside theirs, and the option values that a row
 * leaves blank. A row means the stored variant that `pairVariants` finds. Rows that nothing
 * distinguishes are refused.
 */
export const fromRows = (
  document: ProductDocument,
  current: Product | null,
  nextId: () => string,
): Result<ProductDocument, 'invalid'> => {
  if (!document.isOfRows) return ok(document);
  const stored = current ? liveLists(current) : NOTHING;
  const given = { ...document, specifications: specifications(document.specifications, stored.specifications) };
  const { variants } = given;
  if (variants) return withVariants({ ...given, variants }, stored, nextId);
  return ok({ ...given, media: rowMedia(given, stored.media) });
};
