import type { Refusal } from '../result.ts';
import { MAX_INT32 } from '../values/int32.ts';
import { isLongerThan, lengthRule } from '../values/text.ts';
import type { RecordField } from '../fields/kinds.ts';
import { PRODUCT } from './fields/product-fields.ts';
import { firstWrong, planOf } from './fields/walk.ts';
import { listFigures } from './list-figures.ts';
import type { Product, Standard } from './product.ts';
import { FirstFault } from './write-context.ts';

/** The rules of an Active product, as public texts. They apply to every way of writing one. */
export const ACTIVE_NEEDS_VARIANT = 'An Active product must have a variant.';
export const ACTIVE_NEEDS_SLUG = 'An Active product must have a slug, and none can be derived from its name.';

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

/** The lists of rows in a record, as paths. */
const rowsIn = ({ fields }: RecordField, path = ''): string[] =>
  Object.entries(fields).flatMap(([name, field]) =>
    field.kind === 'list' && field.of.kind === 'record' && field.of.isRow
      ? [path + name, ...rowsIn(field.of, `${path}${name}.`)]
      : [],
  );

/** Before the other lists: a document with several faults is refused for the first. */
const FIRST = ['variants', 'media', 'options', 'options.values', 'variants.inventory', 'variants.optionValues'];
const ROWS = [...new Set([...FIRST, ...rowsIn(PRODUCT)])].map((path) => path.split('.'));

const rowsAt = (record: object, [name, ...rest]: readonly string[]): readonly Standard[] => {
  const rows = (record as Readonly<Record<string, readonly Standard[]>>)[name ?? ''] ?? [];
  return rest.length === 0 ? rows : rows.flatMap((row) => rowsAt(row, rest));
};

const checkIds = (faults: FirstFault, product: Product): void => {
  for (const path of ROWS) {
    const ids = rowsAt(product, path).map(({ id }) => id);
    checkDistinct(faults, `${path.join('.')}.id`, ids);
  }
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

const LENGTHS = planOf(PRODUCT, (field) => (field.kind === 'text' ? field.max : undefined));

const checkLengths = (faults: FirstFault, product: Product, lengths: typeof LENGTHS): void => {
  const wrong = firstWrong(lengths, product, (text, max) => text != null && isLongerThan(text as string, max));
  if (wrong) faults.add(`${wrong.field} ${lengthRule(wrong.rule)}.`);
};

/** Refuses a completed product that breaks a rule (docs/specification/catalogue.md, "Product documents"). */
export const checkProduct = (product: Product): Refusal<'invalid'> | null => {
  const faults = new FirstFault();
  faults.required(product.name, 'name');
  checkLengths(faults, product, { ...LENGTHS, parts: [] });
  if (product.status === 'Active' && product.variants.every(({ isDeleted }) => isDeleted)) {
    faults.add(ACTIVE_NEEDS_VARIANT);
  }
  checkIds(faults, product);
  checkKeys(faults, product);
  checkLengths(faults, product, { ...LENGTHS, own: [] });
  if (Math.abs(listFigures(product).totalInventory) > MAX_INT32) {
    faults.add(`The total of variants.inventory must be at most ${MAX_INT32}.`);
  }
  return faults.refusal;
};
