import type {
  BundleComponent,
  ContentBlock,
  DigitalAsset,
  Media,
  PersonalizationField,
  ProductCategory,
  ProductOption,
  Specification,
  Standard,
  Translations,
  Variant,
} from './product-parts.ts';

export type * from './product-parts.ts';
export type * from './product-sketch.ts';

export const PRODUCT_KINDS = ['Physical', 'Digital', 'GiftWrap', 'Bundle'] as const;
export const PRODUCT_STATUSES = ['Active', 'Draft', 'Archived'] as const;
export const PERSONALIZATION_TYPES = ['Text', 'Textarea', 'Select', 'Checkbox', 'Number', 'Date'] as const;

export type ProductKind = (typeof PRODUCT_KINDS)[number];
export type ProductStatus = (typeof PRODUCT_STATUSES)[number];
export type PersonalizationType = (typeof PERSONALIZATION_TYPES)[number];

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

/** The product detail of app-api.md. */
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
