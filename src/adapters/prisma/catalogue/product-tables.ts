import {
  BUNDLE_COMPONENT,
  BUNDLE_VARIANT,
  DIGITAL_ASSET,
  MEDIA,
  OPTION,
  OPTION_VALUE,
  PERSONALIZATION_FIELD,
  PRODUCT_CATEGORY,
  SPECIFICATION,
} from '../../../domain/catalogue/fields/part-fields.ts';
import { PRODUCT as PRODUCT_RECORD } from '../../../domain/catalogue/fields/product-fields.ts';
import { CATEGORY, TAX_CLASS } from '../../../domain/catalogue/fields/taxonomy-fields.ts';
import { INVENTORY, VARIANT, VARIANT_OPTION_VALUE } from '../../../domain/catalogue/fields/variant-fields.ts';
import { tableOf } from './tables-of.ts';

/** The lists in the order in which they are written: what refers to variants comes after them. */
export const PRODUCT_LISTS = {
  options: tableOf('product_options', OPTION, { values: tableOf('product_option_values', OPTION_VALUE, {}) }),
  variants: tableOf('variants', VARIANT, {
    optionValues: tableOf('variant_option_values', VARIANT_OPTION_VALUE, {}),
    inventory: tableOf('inventory', INVENTORY, {}),
  }),
  media: tableOf('media', MEDIA, {}),
  bundleComponents: tableOf('bundle_components', BUNDLE_COMPONENT, {
    allowedVariants: tableOf('bundle_variants', BUNDLE_VARIANT, {}),
  }),
  digitalAssets: tableOf('digital_assets', DIGITAL_ASSET, {}),
  personalizationFields: tableOf('personalization_fields', PERSONALIZATION_FIELD, {}),
  productCategories: tableOf('product_categories', PRODUCT_CATEGORY, {}),
  specifications: tableOf('specifications', SPECIFICATION, {}),
};

export const PRODUCT_TABLE = tableOf('products', PRODUCT_RECORD, PRODUCT_LISTS);
export const CATEGORIES = tableOf('categories', CATEGORY, {});
export const TAX_CLASSES = tableOf('tax_classes', TAX_CLASS, {});
