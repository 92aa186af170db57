import type { Refusal } from '../result.ts';
import { MAX_NAME_LENGTH } from '../values/text.ts';
import { MAX_URL_LENGTH } from '../values/web-url.ts';
import { ACTIVE_NEEDS_VARIANT } from './active-product.ts';
import { FirstFault } from './first-fault.ts';
import { listFigures } from './list-figures.ts';
import type { Product, Standard } from './product.ts';

const MAX_INTEGER = 2_147_483_647;

const checkDistinct = (faults: FirstFault, field: string, keys: readonly string[]): void => {
  if (keys.length < 2) return;
  const seen = new Set<string>();
  for (const key of keys) {
    if (seen.has(key)) {
      faults.add(`${field} has ${key} more than once.`);
      return;
    }
    seen.add(key);
  }
};

const checkIds = (faults: FirstFault, product: Product): void => {
  const { variants, options, bundleComponents } = product;
  const distinct = (list: string, elements: readonly Standard[]): void =>
    checkDistinct(
      faults,
      `${list}.id`,
      elements.map(({ id }) => id),
    );
  distinct('variants', variants);
  distinct('media', product.media);
  distinct('options', options);
  distinct(
    'options.values',
    options.flatMap(({ values }) => values),
  );
  distinct(
    'variants.inventory',
    variants.flatMap(({ inventory }) => inventory),
  );
  distinct(
    'variants.optionValues',
    variants.flatMap(({ optionValues }) => optionValues),
  );
  distinct('bundleComponents', bundleComponents);
  distinct(
    'bundleComponents.allowedVariants',
    bundleComponents.flatMap(({ allowedVariants }) => allowedVariants),
  );
  distinct('digitalAssets', product.digitalAssets);
  distinct('personalizationFields', product.personalizationFields);
  distinct('productCategories', product.productCategories);
  distinct('specifications', product.specifications);
};

const checkKeys = (faults: FirstFault, { productCategories, variants }: Product): void => {
  const categoryIds = productCategories.map(({ categoryId }) => categoryId);
  checkDistinct(faults, 'productCategories.categoryId', categoryIds);
  for (const [index, { inventory, optionValues }] of variants.entries()) {
    const warehouseIds = inventory.map(({ warehouseId }) => warehouseId);
    checkDistinct(faults, `variants[${index}].inventory.warehouseId`, warehouseIds);
    const valueIds = optionValues.map(({ productOptionValueId }) => productOptionValueId);
    checkDistinct(faults, `variants[${index}].optionValues.productOptionValueId`, valueIds);
  }
};

/** What the database indexes must be short. */
const checkIndexed = (faults: FirstFault, { variants, media }: Product): void => {
  for (const [index, { sku }] of variants.entries()) faults.atMost(sku, MAX_NAME_LENGTH, () => `variants[${index}].sku`);
  for (const [index, { url, storageKey }] of media.entries()) {
    faults.atMost(url, MAX_URL_LENGTH, () => `media[${index}].url`);
    faults.atMost(storageKey, MAX_URL_LENGTH, () => `media[${index}].storageKey`);
  }
};

/** Refuses a completed product that breaks a rule (lengths: decisions.md, Bulk update). */
export const checkProduct = (product: Product): Refusal<'invalid'> | null => {
  const faults = new FirstFault();
  faults.required(product.name, 'name');
  faults.atMost(product.name, MAX_NAME_LENGTH, () => 'name');
  faults.atMost(product.metaTitle, 255, () => 'metaTitle');
  faults.atMost(product.metaDescription, 1000, () => 'metaDescription');
  if (product.status === 'Active' && product.variants.every(({ isDeleted }) => isDeleted)) {
    faults.add(ACTIVE_NEEDS_VARIANT);
  }
  checkIds(faults, product);
  checkKeys(faults, product);
  checkIndexed(faults, product);
  if (Math.abs(listFigures(product).totalInventory) > MAX_INTEGER) {
    faults.add(`The total of variants.inventory must be at most ${MAX_INTEGER}.`);
  }
  return faults.refusal;
};
