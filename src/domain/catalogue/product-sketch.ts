import type { Category, Product } from './product.ts';
import type { Media, ProductCategory, Variant, VariantOptionValue } from './product-parts.ts';

/** T with every field optional, at every depth: what a merchant may send of a record. */
export type Sketch<T> = T extends readonly (infer E)[]
  ? Sketch<E>[]
  : T extends object
    ? { [K in keyof T]?: Sketch<T[K]> | undefined }
    : T;

/**
 * A category that a product document embeds. It is made, with its parents, unless the store has one
 * of this id, of this slug, or, without both, of this name.
 */
export type CategoryDocument = Sketch<Category> & { parent?: CategoryDocument | null | undefined };

/**
 * A variant of a document names an option value by its id, or by the texts `option` and `value` of
 * the same document.
 */
export type VariantDocument = Omit<Sketch<Variant>, 'sku' | 'currency' | 'optionValues'> & {
  sku: string;
  currency: string;
  optionValues?: (Sketch<VariantOptionValue> & { option?: string | undefined; value?: string | undefined })[] | undefined;
};

/**
 * A product document as the merchant sends it. Only `name` is required, and `sku` and `currency` of
 * a variant. A document without an id means the live product of the same slug, or else a new one. A
 * media names its variant by its id or by `variantSku`.
 */
export type ProductDocument = Omit<Sketch<Product>, 'name' | 'variants' | 'category' | 'media' | 'productCategories'> & {
  name: string;
  category?: CategoryDocument | null | undefined;
  productCategories?: (Sketch<ProductCategory> & { category?: CategoryDocument | null | undefined })[] | undefined;
  media?: (Sketch<Media> & { variantSku?: string | undefined })[] | undefined;
  variants?: VariantDocument[] | undefined;
};
