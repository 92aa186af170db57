import { completeElements } from './element.ts';
import { PRODUCT } from './fields/product-fields.ts';
import { VARIANT } from './fields/variant-fields.ts';
import type { FirstFault, Completion } from './write-context.ts';
import { completeInventory } from './inventory.ts';
import { pairInOrder } from './pair-variants.ts';
import { isReduced } from './price.ts';
import type { ProductOption, Variant, VariantDocument, VariantOptionValue } from './product.ts';

type GivenValue = NonNullable<VariantDocument['optionValues']>[number];

const textKey = (option: string | undefined, value: string | undefined): string => JSON.stringify([option ?? null, value]);

/**
 * Finds the option value that a variant names by its id, or by its text with or without the
 * option's name. The first of equal texts counts.
 */
class OptionValues {
  private readonly ids = new Set<string>();
  private readonly byText = new Map<string, string>();

  constructor(options: readonly ProductOption[]) {
    for (const option of options) {
      for (const { id, value } of option.values) {
        this.ids.add(id);
        this.addText(textKey(option.name, value), id);
        this.addText(textKey(undefined, value), id);
      }
    }
  }

  /** The id of the option value. `field` names the given value in the fault. */
  idOf({ productOptionValueId: id, option, value }: GivenValue, field: string, faults: FirstFault): string {
    if (id && this.ids.has(id)) return id;
    const found = id ? undefined : this.byText.get(textKey(option, value));
    if (found === undefined) faults.add(`${field} names an option value that the document does not have.`);
    return found ?? '';
  }

  private addText(key: string, id: string): void {
    if (!this.byText.has(key)) this.byText.set(key, id);
  }
}

/**
 * The option values of one variant. `field` is the name of the variant, for example `variants[0]`.
 */
const completeOptionValues = (
  completion: Completion,
  known: OptionValues,
  given: VariantDocument['optionValues'],
  variant: { readonly id: string; readonly field: string; readonly before: Variant | undefined },
): VariantOptionValue[] => {
  const named = (given ?? []).map((value, index) => {
    const field = `${variant.field}.optionValues[${index}].productOptionValueId`;
    return { ...value, productOptionValueId: known.idOf(value, field, completion.faults) };
  });
  return completeElements<VariantOptionValue, (typeof named)[number]>(completion, VARIANT.fields.optionValues, {
    ...{ given: named, current: variant.before?.optionValues, field: `${variant.field}.optionValues`, parentId: variant.id },
  });
};

const hasSide = ({ lengthMm, widthMm, heightMm }: Pick<VariantDocument, 'lengthMm' | 'widthMm' | 'heightMm'>): boolean =>
  lengthMm != null || widthMm != null || heightMm != null;

/** `options` are the completed ones of the same document. */
export const completeVariants = (completion: Completion, options: readonly ProductOption[]): Variant[] => {
  const { document, current, productId, keepsStored } = completion;
  const known = new OptionValues(options);
  const elements = { given: document.variants, current: current?.variants, field: 'variants', parentId: productId };
  return completeElements<Variant, VariantDocument>(completion, PRODUCT.fields.variants, elements, {
    matcher: (_, stored) => {
      if (stored.length === 0) return () => undefined;
      const pairs = pairInOrder(document, { variants: stored, options: current?.options ?? [] });
      return (variant) => pairs.of(variant);
    },
    follows: (_, before) => [
      ...(before.isOnSale === isReduced(before) ? ['isOnSale'] : []),
      ...(before.hasDimensions === hasSide(before) ? ['hasDimensions'] : []),
    ],
    rules: {
      currency: (given, { before }) => (keepsStored && given.keepsCurrency && before ? before.currency : given.currency),
      isOnSale: (given) => given.isOnSale ?? isReduced(given),
      hasDimensions: (given) => given.hasDimensions ?? hasSide(given),
      optionValues: ({ optionValues }, at) => completeOptionValues(completion, known, optionValues, at),
      inventory: (variant, at) => completeInventory(completion, variant, at.before?.inventory ?? [], at),
    },
  });
};
