import { Pairs, type Trait } from './pair-elements.ts';
import type { Product, ProductDocument, Variant, VariantDocument } from './product.ts';

/** An option value as its texts: the name of the option, and the value. */
export type OptionText = readonly [option: string, value: string];

type OptionTexts = ReadonlyMap<string, OptionText>;
interface Option {
  readonly name: string;
  readonly values?: readonly { readonly id?: string | undefined; readonly value: string }[] | undefined;
}

/** The texts of option values by their id, in the order of the options. */
export const optionTexts = (options: readonly Option[]): OptionTexts =>
  new Map(
    options.flatMap(({ name, values = [] }) => values.flatMap(({ id, value }) => (id ? [[id, [name, value]] as const] : []))),
  );

/** The option values of a stored variant, in the order of the options. */
export const storedTexts = ({ optionValues }: Variant, texts: OptionTexts): OptionText[] => {
  const ids = new Set(optionValues.flatMap(({ productOptionValueId, isDeleted }) => (isDeleted ? [] : [productOptionValueId])));
  return [...texts].flatMap(([id, text]) => (ids.has(id) ? [text] : []));
};

/** Undefined where the document does not say all of them as texts. */
const givenTexts = ({ optionValues }: VariantDocument, texts: OptionTexts): readonly OptionText[] | undefined => {
  if (!optionValues?.length) return undefined;
  const named = optionValues.map(({ option, value, productOptionValueId: id }): OptionText | undefined =>
    value === undefined ? texts.get(id ?? '') : option === undefined ? undefined : [option, value],
  );
  return named.every((text) => text !== undefined) ? named : undefined;
};

/** Equal for equal texts in any order. */
export const textKey = (texts: readonly OptionText[]): string => JSON.stringify(texts.toSorted(([a], [b]) => (a < b ? -1 : 1)));
const namesIn = (texts: readonly OptionText[]): string => JSON.stringify(texts.map(([name]) => name).toSorted());
const valuesOf = (texts: readonly OptionText[]): string => JSON.stringify(texts.map(([, value]) => value));

/** The SKU that the document itself says. */
export const saidSku = ({ keepsSku, sku }: VariantDocument): string | undefined => (keepsSku ? undefined : sku);

const SKU: Trait<VariantDocument, Variant> = { given: saidSku, current: ({ sku }) => sku };

interface Stored {
  readonly variants: readonly Variant[];
  readonly options: Product['options'];
}

const pairSurely = ({ variants: given = [], options = [] }: ProductDocument, stored: Stored): Pairs<VariantDocument, Variant> => {
  const pairs = new Pairs<VariantDocument, Variant>(given, stored.variants);
  pairs.byUnique(SKU);
  if (pairs.free.length === 0) return pairs;
  const known = optionTexts(stored.options.filter(({ isDeleted }) => !isDeleted));
  const texts = new Map([...known, ...optionTexts(options)]);
  const said = new Map(given.map((variant) => [variant, givenTexts(variant, texts)]));
  const current = new Map(pairs.free.map((variant) => [variant, storedTexts(variant, known)]));
  const textsOf = (variant: VariantDocument): readonly OptionText[] | undefined => said.get(variant);
  pairs.byUnique({
    given: (variant) => textsOf(variant) && textKey(textsOf(variant) ?? []),
    current: (variant) => textKey(current.get(variant) ?? []),
  });
  // A document may leave out an option: then its other options must be enough.
  for (const names of new Set(given.flatMap((variant) => namesIn(textsOf(variant) ?? [])))) {
    if (names === '[]') continue;
    const among = new Set(JSON.parse(names) as string[]);
    pairs.byUnique({
      given: (variant) => {
        const own = textsOf(variant);
        return own && namesIn(own) === names ? textKey(own) : undefined;
      },
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
