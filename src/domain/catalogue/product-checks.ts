import type { Refusal } from '../result.ts';
import { ACTIVE_NEEDS_VARIANT } from './active-product.ts';
import type { Field, RecordField } from './fields/kinds.ts';
import { PRODUCT } from './fields/product-fields.ts';
import { FirstFault } from './first-fault.ts';
import { listFigures } from './list-figures.ts';
import type { Product, Standard } from './product.ts';
import { MAX_INT32 } from '../values/int32.ts';

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

type Limit = readonly [field: string, max: number];

/** The texts of a record that are limited. What must be given comes first: others may follow from it. */
const limitsOf = ({ fields }: RecordField): Limit[] =>
  Object.entries(fields)
    .flatMap(([name, field]): [Limit, boolean][] =>
      field.kind === 'text' && field.max !== undefined ? [[[name, field.max], field.required !== undefined]] : [],
    )
    .sort(([, a], [, b]) => Number(b) - Number(a))
    .map(([limit]) => limit);

const LIMITS = limitsOf(PRODUCT);
/** The lists whose elements have such texts. Variants come first. */
const LISTS = Object.entries<Field>(PRODUCT.fields)
  .flatMap(([list, field]): [string, Limit[]][] =>
    field.kind === 'list' && field.of.kind === 'record' ? [[list, limitsOf(field.of)]] : [],
  )
  .filter(([, limits]) => limits.length > 0)
  .reverse();

type Texts = Readonly<Record<string, string | null>>;

const checkLengths = (faults: FirstFault, texts: Texts, limits: readonly Limit[], prefix: () => string): void => {
  for (const [name, max] of limits) faults.atMost(texts[name] ?? null, max, () => prefix() + name);
};

const checkLists = (faults: FirstFault, product: Product): void => {
  for (const [list, limits] of LISTS) {
    const elements = product[list as keyof Product] as unknown as readonly Texts[];
    for (const [index, element] of elements.entries()) checkLengths(faults, element, limits, () => `${list}[${index}].`);
  }
};

/** Refuses a completed product that breaks a rule (docs/specification/catalogue.md, "Product documents"). */
export const checkProduct = (product: Product): Refusal<'invalid'> | null => {
  const faults = new FirstFault();
  faults.required(product.name, 'name');
  checkLengths(faults, product as unknown as Texts, LIMITS, () => '');
  if (product.status === 'Active' && product.variants.every(({ isDeleted }) => isDeleted)) {
    faults.add(ACTIVE_NEEDS_VARIANT);
  }
  checkIds(faults, product);
  checkKeys(faults, product);
  checkLists(faults, product);
  if (Math.abs(listFigures(product).totalInventory) > MAX_INT32) {
    faults.add(`The total of variants.inventory must be at most ${MAX_INT32}.`);
  }
  return faults.refusal;
};
