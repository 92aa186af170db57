import type { PersonalizationType } from './product.ts';

/**
 * The standard fields of a record, S in app-api.md. Times are ISO 8601 in UTC with milliseconds.
 */
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
