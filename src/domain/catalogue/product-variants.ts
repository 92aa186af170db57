import { completeElements } from './element.ts';
import { completeInventory } from './inventory.ts';
import { completeOptionValues, OptionValues } from './option-values.ts';
import type { ProductOption, Variant, VariantDocument } from './product.ts';
import type { Completion } from './write-context.ts';

const isReduced = ({ price, compareAtPrice }: Pick<Variant, 'price' | 'compareAtPrice'>): boolean =>
  compareAtPrice !== null && compareAtPrice > price;

const hasSide = ({ lengthMm, widthMm, heightMm }: Pick<Variant, 'lengthMm' | 'widthMm' | 'heightMm'>): boolean =>
  lengthMm !== null || widthMm !== null || heightMm !== null;

/** `options` are the completed ones of the same document. */
export const completeVariants = (completion: Completion, options: readonly ProductOption[]): Variant[] => {
  const { document, current, faults, productId } = completion;
  const known = new OptionValues(options);
  return completeElements<Variant, VariantDocument>(completion, document.variants, current?.variants ?? [], {
    key: ({ sku }) => sku,
    follows: (_, before) => [
      ...(before.isOnSale === isReduced(before) ? ['isOnSale'] : []),
      ...(before.hasDimensions === hasSide(before) ? ['hasDimensions'] : []),
    ],
    complete: (given, id, index, before) => {
      const field = `variants[${index}]`;
      const price = given.price ?? 0;
      const compareAtPrice = given.compareAtPrice ?? null;
      const size = { lengthMm: given.lengthMm ?? null, widthMm: given.widthMm ?? null, heightMm: given.heightMm ?? null };
      return {
        sku: faults.required(given.sku, `${field}.sku`),
        currency: faults.required(given.currency, `${field}.currency`),
        price,
        compareAtPrice,
        isOnSale: given.isOnSale ?? isReduced({ price, compareAtPrice }),
        barcode: given.barcode ?? null,
        productId,
        weightGrams: given.weightGrams ?? 0,
        hasDimensions: given.hasDimensions ?? hasSide(size),
        ...size,
        optionValues: completeOptionValues(completion, known, given.optionValues, { id, field, before }),
        inventory: completeInventory(completion, given.inventory, before?.inventory ?? [], id),
      };
    },
  });
};
