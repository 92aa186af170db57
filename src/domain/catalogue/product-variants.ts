/* eslint-disable complexity -- defaults, one for each field: the `??` are a list, no branching */
import { completeElements, Fault, needed, same } from './element.ts';
import type { Making } from './element.ts';
import type { Inventory, Product, ProductDocument, ProductOption, Sketch, Variant, VariantDocument } from './product.ts';

/** Of available, onHand and reserved, the one that follows from the given ones. */
const followingFigures = ({ available, onHand, reserved }: Sketch<Inventory>): readonly string[] => {
  if (available !== undefined) return onHand === undefined ? ['onHand'] : [];
  return onHand === undefined && reserved === undefined ? [] : ['available'];
};

const completeInventory = (
  given: VariantDocument['inventory'],
  productVariantId: string,
  current: readonly Inventory[],
  making: Making,
): Inventory[] =>
  completeElements(
    given,
    current,
    making,
    // A store that names no warehouse has one, known by the store's own id.
    {
      given: ({ warehouseId }) => warehouseId ?? making.storeId,
      current: ({ warehouseId }) => warehouseId,
      follows: (stock) => ['concurrencyStamp', ...followingFigures(stock)],
    },
    (stock, base, _index, before) => {
      const reserved = stock.reserved ?? 0;
      const onHand = stock.onHand ?? (stock.available ?? 0) + reserved;
      const figures = {
        available: stock.available ?? onHand - reserved,
        onHand,
        reserved,
        warehouseId: stock.warehouseId ?? making.storeId,
      };
      const unchanged =
        before &&
        same(figures, {
          available: before.available,
          onHand: before.onHand,
          reserved: before.reserved,
          warehouseId: before.warehouseId,
        });
      return {
        ...base,
        ...figures,
        concurrencyStamp: stock.concurrencyStamp ?? (unchanged ? before.concurrencyStamp : making.nextId()),
        productVariantId,
      };
    },
  );

type GivenValue = NonNullable<VariantDocument['optionValues']>[number];

/** Finds the id of the option value that a variant names: by its id, or by its text with or without the option's name. The first of equal ones counts. */
const optionValueFinder = (options: readonly ProductOption[]) => {
  const ids = new Set<string>();
  const byText = new Map<string, string>();
  const textKey = (option: string | undefined, value: string | undefined): string => JSON.stringify([option ?? null, value]);
  for (const option of options) {
    for (const { id, value } of option.values) {
      ids.add(id);
      for (const key of [textKey(option.name, value), textKey(undefined, value)]) if (!byText.has(key)) byText.set(key, id);
    }
  }
  return ({ productOptionValueId: id, option, value }: GivenValue, field: string): string => {
    const found = id ? (ids.has(id) ? id : undefined) : byText.get(textKey(option, value));
    if (found === undefined) throw new Fault(`${field}: the document has no such option value`);
    return found;
  };
};

const isReduced = ({ price, compareAtPrice }: Pick<Variant, 'price' | 'compareAtPrice'>): boolean =>
  compareAtPrice !== null && compareAtPrice > price;

const hasSide = ({ lengthMm, widthMm, heightMm }: Pick<Variant, 'lengthMm' | 'widthMm' | 'heightMm'>): boolean =>
  lengthMm !== null || widthMm !== null || heightMm !== null;

export const completeVariants = (
  document: ProductDocument,
  productId: string,
  options: readonly ProductOption[],
  current: Product | null,
  making: Making,
): Variant[] => {
  const optionValueId = optionValueFinder(options);
  return completeElements<Variant, VariantDocument>(
    document.variants,
    current?.variants ?? [],
    making,
    {
      given: ({ sku }) => sku,
      current: ({ sku }) => sku,
      follows: (_, before) => [
        ...(before.isOnSale === isReduced(before) ? ['isOnSale'] : []),
        ...(before.hasDimensions === hasSide(before) ? ['hasDimensions'] : []),
      ],
    },
    (given, base, index, before) => {
      const price = given.price ?? 0;
      const compareAtPrice = given.compareAtPrice ?? null;
      const size = { lengthMm: given.lengthMm ?? null, widthMm: given.widthMm ?? null, heightMm: given.heightMm ?? null };
      const at = `variants[${String(index)}]`;
      const optionValues = (given.optionValues ?? []).map((value, n) => ({
        ...value,
        productOptionValueId: optionValueId(value, `${at}.optionValues[${String(n)}].productOptionValueId`),
      }));
      return {
        ...base,
        sku: needed(given.sku, `${at}.sku`),
        currency: needed(given.currency, `${at}.currency`),
        price,
        compareAtPrice,
        isOnSale: given.isOnSale ?? isReduced({ price, compareAtPrice }),
        barcode: given.barcode ?? null,
        productId,
        weightGrams: given.weightGrams ?? 0,
        hasDimensions: given.hasDimensions ?? hasSide(size),
        ...size,
        optionValues: completeElements(
          optionValues,
          before?.optionValues ?? [],
          making,
          { given: (value) => value.productOptionValueId, current: (value) => value.productOptionValueId },
          (value, standard) => ({ ...standard, productOptionValueId: value.productOptionValueId, productVariantId: base.id }),
        ),
        inventory: completeInventory(given.inventory, base.id, before?.inventory ?? [], making),
      };
    },
  );
};
