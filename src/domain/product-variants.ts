/* eslint-disable complexity -- defaults, one for each field: the `??` are a list, no branching */
import { completeElements, Fault, needed, same } from './element.ts';
import type { Making } from './element.ts';
import { contentTypeOf } from './image.ts';
import type { Inventory, Media, Product, ProductDocument, ProductOption, Variant, VariantDocument } from './product.ts';

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
    { given: ({ warehouseId }) => warehouseId ?? making.storeId, current: ({ warehouseId }) => warehouseId },
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

const optionValueId = (
  given: NonNullable<VariantDocument['optionValues']>[number],
  options: readonly ProductOption[],
  field: string,
): string => {
  const values = options.flatMap((option) => option.values.map((value) => ({ option: option.name, value })));
  const found = given.productOptionValueId
    ? values.find(({ value }) => value.id === given.productOptionValueId)
    : values.find(({ option, value }) => value.value === given.value && (given.option === undefined || option === given.option));
  if (!found) throw new Fault(`${field}: no such option value in this document`);
  return found.value.id;
};

export const completeVariants = (
  document: ProductDocument,
  productId: string,
  options: readonly ProductOption[],
  current: Product | null,
  making: Making,
): Variant[] =>
  completeElements<Variant, VariantDocument>(
    document.variants,
    current?.variants ?? [],
    making,
    { given: ({ sku }) => sku, current: ({ sku }) => sku },
    (given, base, index, before) => {
      const price = given.price ?? 0;
      const compareAtPrice = given.compareAtPrice ?? null;
      const size = { lengthMm: given.lengthMm ?? null, widthMm: given.widthMm ?? null, heightMm: given.heightMm ?? null };
      const at = `variants[${String(index)}]`;
      const optionValues = (given.optionValues ?? []).map((value, n) => ({
        ...value,
        productOptionValueId: optionValueId(value, options, `${at}.optionValues[${String(n)}].productOptionValueId`),
      }));
      return {
        ...base,
        sku: needed(given.sku, `${at}.sku`),
        currency: needed(given.currency, `${at}.currency`),
        price,
        compareAtPrice,
        isOnSale: given.isOnSale ?? (compareAtPrice !== null && compareAtPrice > price),
        barcode: given.barcode ?? null,
        productId,
        weightGrams: given.weightGrams ?? 0,
        hasDimensions: given.hasDimensions ?? Object.values(size).some((side) => side !== null),
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

export const completeMedia = (
  document: ProductDocument,
  productId: string,
  variants: readonly Variant[],
  current: Product | null,
  making: Making,
): Media[] =>
  completeElements(
    document.media,
    current?.media ?? [],
    making,
    { given: (given) => given.url ?? given.storageKey, current: ({ url }) => url },
    (given, base, index) => {
      const at = `media[${String(index)}]`;
      const url = needed(given.url ?? given.storageKey, `${at}.url`);
      const bySku = given.variantSku === undefined ? null : variants.find(({ sku }) => sku === given.variantSku)?.id;
      const productVariantId = given.productVariantId ?? bySku;
      if (productVariantId !== null && !variants.some(({ id }) => id === productVariantId)) {
        throw new Fault(`${at}.productVariantId: no such variant in this document`);
      }
      return {
        ...base,
        aiGenerated: given.aiGenerated ?? false,
        altText: given.altText ?? null,
        assetId: given.assetId ?? null,
        contentType: given.contentType ?? contentTypeOf(url),
        position: given.position ?? index,
        productId,
        productVariantId: productVariantId ?? null,
        sizeBytes: given.sizeBytes ?? 0,
        storageKey: given.storageKey ?? url,
        url,
      };
    },
  );
