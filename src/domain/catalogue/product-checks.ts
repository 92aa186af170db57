import { Fault } from './element.ts';
import { listFigures } from './list-figures.ts';
import type { Product, Standard } from './product.ts';
import { MAX_SLUG_LENGTH } from './slug.ts';
import { isBlank, isLongerThan, MAX_NAME_LENGTH } from '../values/text.ts';

const MAX_INTEGER = 2_147_483_647;

const atMost = (field: string, text: string | null, max: number): void => {
  if (text !== null && isLongerThan(text, max)) throw new Fault(`${field}: more than ${String(max)} characters`);
};

const distinct = (field: string, keys: readonly string[]): void => {
  if (keys.length < 2) return;
  const seen = new Set<string>();
  for (const key of keys) {
    if (seen.has(key)) throw new Fault(`${field}: ${key} appears more than once`);
    seen.add(key);
  }
};

const ids = (elements: readonly Standard[]): string[] => elements.map(({ id }) => id);

/** The rules of meaning of a whole product (lengths: decisions.md, Bulk update); throws a Fault that names the field. */
export const checkProduct = (product: Product): void => {
  if (isBlank(product.name)) throw new Fault('name: required');
  atMost('name', product.name, MAX_NAME_LENGTH);
  atMost('slug', product.slug, MAX_SLUG_LENGTH);
  atMost('metaTitle', product.metaTitle, 255);
  atMost('metaDescription', product.metaDescription, 1000);
  const { variants, options, bundleComponents } = product;
  if (product.status === 'Active' && variants.every(({ isDeleted }) => isDeleted)) {
    throw new Fault('variants: an Active product needs at least one variant');
  }
  distinct('variants.id', ids(variants));
  distinct('media.id', ids(product.media));
  distinct('options.id', ids(options));
  distinct('options.values.id', ids(options.flatMap(({ values }) => values)));
  distinct('variants.inventory.id', ids(variants.flatMap(({ inventory }) => inventory)));
  distinct('variants.optionValues.id', ids(variants.flatMap(({ optionValues }) => optionValues)));
  distinct('bundleComponents.id', ids(bundleComponents));
  distinct('bundleComponents.allowedVariants.id', ids(bundleComponents.flatMap(({ allowedVariants }) => allowedVariants)));
  distinct('digitalAssets.id', ids(product.digitalAssets));
  distinct('personalizationFields.id', ids(product.personalizationFields));
  distinct('productCategories.id', ids(product.productCategories));
  distinct('specifications.id', ids(product.specifications));
  distinct(
    'productCategories.categoryId',
    product.productCategories.map(({ categoryId }) => categoryId),
  );
  variants.forEach((variant, index) => {
    distinct(
      `variants[${String(index)}].inventory.warehouseId`,
      variant.inventory.map(({ warehouseId }) => warehouseId),
    );
    distinct(
      `variants[${String(index)}].optionValues.productOptionValueId`,
      variant.optionValues.map((value) => value.productOptionValueId),
    );
  });
  if (Math.abs(listFigures(product).totalInventory) > MAX_INTEGER) throw new Fault('variants.inventory: the total is too large');
};
