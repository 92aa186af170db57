/* eslint-disable max-lines -- one list of the specification's fields */
export const PRODUCT_KINDS = ['Physical', 'Digital', 'GiftWrap', 'Bundle'] as const;
export const PRODUCT_STATUSES = ['Active', 'Draft', 'Archived'] as const;
export const PERSONALIZATION_TYPES = ['Text', 'Textarea', 'Select', 'Checkbox', 'Number', 'Date'] as const;

export type ProductKind = (typeof PRODUCT_KINDS)[number];
export type ProductStatus = (typeof PRODUCT_STATUSES)[number];
export type PersonalizationType = (typeof PERSONALIZATION_TYPES)[number];

/** The standard fields of a record, S in app-api.md. Times are ISO 8601 in UTC with milliseconds. */
export interface Standard {
  id: string;
  tenantId: string;
  createdAt: string;
  updatedAt: string | null;
  deletedAt: string | null;
  isDeleted: boolean;
}

export type Translations<T> = Record<string, T>;

export interface ContentBlock {
  key: string;
  title: string;
  html: string;
}

export interface Category extends Standard {
  name: string;
  slug: string | null;
  parentId: string | null;
  position: number;
}

export interface TaxClass extends Standard {
  name: string;
  code: string;
  isDefault: boolean;
}

export interface BundleVariant extends Standard {
  productBundleComponentId: string;
  productVariantId: string;
}

export interface BundleComponent extends Standard {
  componentProductId: string;
  position: number;
  productId: string;
  allowedVariants: BundleVariant[];
}

export interface DigitalAsset extends Standard {
  contentType: string;
  fileName: string;
  productId: string;
  sizeBytes: number;
  storageKey: string;
}

export interface Media extends Standard {
  aiGenerated: boolean;
  altText: string | null;
  assetId: string | null;
  contentType: string;
  position: number;
  productId: string;
  productVariantId: string | null;
  sizeBytes: number;
  storageKey: string;
  url: string;
}

export interface ProductOptionValue extends Standard {
  position: number;
  productOptionId: string;
  swatchHex: string | null;
  swatchImageKey: string | null;
  translations: Translations<{ value: string | null }>;
  value: string;
}

export interface ProductOption extends Standard {
  name: string;
  position: number;
  productId: string;
  translations: Translations<{ name: string | null }>;
  values: ProductOptionValue[];
}

export interface PersonalizationField extends Standard {
  key: string;
  label: string;
  helpText: string | null;
  placeholder: string | null;
  maxLength: number | null;
  minValue: number | null;
  maxValue: number | null;
  position: number;
  productId: string;
  required: boolean;
  surcharge: number;
  type: PersonalizationType;
  options: { label: string; surcharge: number; value: string }[];
  translations: Translations<{
    helpText: string | null;
    label: string | null;
    placeholder: string | null;
    optionLabels: Record<string, string> | null;
  }>;
}

export interface ProductCategory extends Standard {
  categoryId: string;
  productId: string;
}

export interface Specification extends Standard {
  name: string;
  value: string;
  position: number;
  productId: string;
  translations: Translations<{ name: string | null; value: string | null }>;
}

export interface Inventory extends Standard {
  available: number;
  onHand: number;
  reserved: number;
  concurrencyStamp: string;
  productVariantId: string;
  warehouseId: string;
}

export interface VariantOptionValue extends Standard {
  productOptionValueId: string;
  productVariantId: string;
}

export interface Variant extends Standard {
  sku: string;
  currency: string;
  price: number;
  compareAtPrice: number | null;
  isOnSale: boolean;
  barcode: string | null;
  productId: string;
  weightGrams: number;
  hasDimensions: boolean;
  lengthMm: number | null;
  widthMm: number | null;
  heightMm: number | null;
  optionValues: VariantOptionValue[];
  inventory: Inventory[];
}

/** The product detail of app-api.md, whole. */
export interface Product extends Standard {
  name: string;
  slug: string | null;
  description: string | null;
  metaTitle: string | null;
  metaDescription: string | null;
  kind: ProductKind;
  status: ProductStatus;
  groupKey: string | null;
  position: number;
  publishedAt: string | null;
  purchaseCount: number;
  ratingAverage: number;
  ratingCount: number;
  refundable: boolean;
  returnWindowDays: number | null;
  sizeGuideHtml: string | null;
  tags: string[];
  categoryId: string | null;
  category: Category | null;
  taxClassId: string | null;
  taxClass: TaxClass | null;
  countdownDiscountPercent: number | null;
  countdownStartsAt: string | null;
  countdownEndsAt: string | null;
  downloadLimit: number | null;
  downloadExpiryDays: number | null;
  contentBlocks: ContentBlock[];
  translations: Translations<{
    contentBlocks: ContentBlock[] | null;
    description: string | null;
    metaDescription: string | null;
    metaTitle: string | null;
    name: string | null;
    updatedAt: string | null;
  }>;
  bundleComponents: BundleComponent[];
  digitalAssets: DigitalAsset[];
  media: Media[];
  options: ProductOption[];
  personalizationFields: PersonalizationField[];
  productCategories: ProductCategory[];
  specifications: Specification[];
  variants: Variant[];
}

/** T with every field optional, all the way down: what a merchant may send of a record. */
export type Sketch<T> = T extends readonly (infer E)[]
  ? Sketch<E>[]
  : T extends object
    ? { [K in keyof T]?: Sketch<T[K]> | undefined }
    : T;

/** A category as a product document embeds it: made, with its parents, when the store has none of this id, slug or (with neither) name. */
export type CategoryDocument = Sketch<Category> & { parent?: CategoryDocument | null | undefined };

/** A variant of a document. An option's value is named by its id or by `option` and `value`, the names within the same document. */
export type VariantDocument = Omit<Sketch<Variant>, 'sku' | 'currency' | 'optionValues'> & {
  sku: string;
  currency: string;
  optionValues?: (Sketch<VariantOptionValue> & { option?: string | undefined; value?: string | undefined })[] | undefined;
};

/**
 * A product document as the merchant sends it: only `name` is required (and `sku`, `currency` of a variant); the rest is made where it
 * is left out and kept where it is given. Without an id a live product of the same slug is meant, or else a new one. A media's variant is
 * named by its id or by `variantSku`.
 */
export type ProductDocument = Omit<Sketch<Product>, 'name' | 'variants' | 'category' | 'media' | 'productCategories'> & {
  name: string;
  category?: CategoryDocument | null | undefined;
  productCategories?: (Sketch<ProductCategory> & { category?: CategoryDocument | null | undefined })[] | undefined;
  media?: (Sketch<Media> & { variantSku?: string | undefined })[] | undefined;
  variants?: VariantDocument[] | undefined;
};
