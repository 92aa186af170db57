import { completeElements } from './element.ts';
import { PRODUCT } from './fields/product-fields.ts';
import { completeInventory } from './inventory.ts';
import { completeOptionValues, OptionValues } from './option-values.ts';
import { pairInOrder } from './pair-variants.ts';
import { isReduced } from './price.ts';
import type { ProductOption, Variant, VariantDocument } from './product.ts';
import type { Completion } from './write-context.ts';

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
