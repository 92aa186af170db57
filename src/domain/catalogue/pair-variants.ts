import { live } from './live.ts';
import { Pairs, type Trait } from './pair-elements.ts';
import type { Product, ProductDocument, Variant, VariantDocument } from './product.ts';

/** An option value as its texts: the name of the option, and the value. */
export type OptionText = readonly [option: string, value: string];

interface Option {
  readonly name: string;
  readonly values?: readonly { readonly id?: string | undefined; readonly value: string }[] | undefined;
}

/** `at` is its place in the order of the options. */
type OptionTexts = ReadonlyMap<string, { readonly text: OptionText; readonly at: number }>;

/** The texts of option values by their id. */
export const optionTexts = (options: readonly Option[]): OptionTexts =>
  new Map(
    options.flatMap(({ name, values = [] }, at) =>
      values.flatMap(({ id, value }) => (id ? [[id, { text: [name, value], at }] as const] : [])),
    ),
  );

/** The option values of a stored variant, in the order of the options. */
export const storedTexts = ({ optionValues }: Variant, texts: OptionTexts): OptionText[] =>
  optionValues
    .flatMap(({ productOptionValueId, isDeleted }) => (isDeleted ? [] : (texts.get(productOptionValueId) ?? [])))
    .sort((a, b) => a.at - b.at)
    .map(({ text }) => text);

/** Undefined where the document does not say all of them as texts. */
const givenTexts = ({ optionValues }: VariantDocument, texts: OptionTexts): readonly OptionText[] | undefined => {
  if (!optionValues?.length) return undefined;
  const named = optionValues.map(({ option, value, productOptionValueId: id }): OptionText | undefined =>
    value === undefined ? texts.get(id ?? '')?.text : option === undefined ? undefined : [option, value],
  );
  return named.every((text) => text !== undefined) ? named : undefined;
};

/** Equal for equal texts in any order. */
export const textKey = (texts: readonly OptionText[]): string => JSON.stringify(texts.toSorted(([a], [b]) => (a < b ? -1 : 1)));
const namesIn = (texts: readonly OptionText[]): string => JSON.stringify(texts.map(([name]) => name).toSorted());
const valuesOf = (texts: readonly OptionText[]): string => JSON.stringify(texts.map(([, value]) => value));

/** The SKU that the document itself names. */
export const saidSku = ({ keepsSku, sku }: VariantDocument): string | undefined => (keepsSku ? undefined : sku);

const SKU: Trait<VariantDocument, Variant> = { given: saidSku, current: ({ sku }) => sku };

/** More sets of option names than the variants of a real product have. Each is looked for among all stored variants. */
const MAX_NAME_SETS = 64;

interface Stored {
  readonly variants: readonly Variant[];
  readonly options: Product['options'];
}

const pairSurely = ({ variants: given = [], options = [] }: ProductDocument, stored: Stored): Pairs<VariantDocument, Variant> => {
  const pairs = new Pairs<VariantDocument, Variant>(given, stored.variants);
  pairs.byUnique(SKU);
  if (pairs.free.length === 0) return pairs;
  const known = optionTexts(live(stored.options));
  const texts = new Map([...known, ...optionTexts(options)]);
  const said = new Map(given.map((variant) => [variant, givenTexts(variant, texts)]));
  const current = new Map(pairs.free.map((variant) => [variant, storedTexts(variant, known)]));
  const textsOf = (variant: VariantDocument): readonly OptionText[] | undefined => said.get(variant);
  pairs.byUnique({
    given: (variant) => textsOf(variant) && textKey(textsOf(variant) ?? []),
    current: (variant) => textKey(current.get(variant) ?? []),
  });
  // A document may leave out an option: then its other options must be enough.
  const names = new Map(given.map((variant) => [variant, namesIn(textsOf(variant) ?? [])]));
  for (const some of [...new Set(names.values())].slice(0, MAX_NAME_SETS)) {
    const among = new Set(JSON.parse(some) as string[]);
    if (among.size === 0) continue;
    pairs.byUnique({
      given: (variant) => (names.get(variant) === some ? textKey(textsOf(variant) ?? []) : undefined),
      current: (variant) => {
        const own = (current.get(variant) ?? []).filter(([name]) => among.has(name));
        return own.length === among.size ? textKey(own) : undefined;
      },
    });
  }
  // An option that has a new name.
  pairs.byUnique({
    given: (variant) => textsOf(variant) && valuesOf(textsOf(variant) ?? []),
    current: (variant) => valuesOf(current.get(variant) ?? []),
  });
  return pairs;
};

/**
 * The stored variant that each of the document means: by its id; by a SKU that is one variant's; by
 * its option values; else, where both sides have one, by itself.
 */
export const pairVariants = (document: ProductDocument, stored: Stored): Pairs<VariantDocument, Variant> => {
  const pairs = pairSurely(document, stored);
  pairs.alone();
  return pairs;
};

/** Before the last way, variants with equal SKUs are paired in their order. */
export const pairInOrder = (document: ProductDocument, stored: Stored): Pairs<VariantDocument, Variant> => {
  const pairs = pairSurely(document, stored);
  pairs.inOrder(SKU);
  pairs.alone();
  return pairs;
};
