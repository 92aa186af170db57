import type { ProductStatus } from './product.ts';

/** The fields that a bulk update can change, with those that its rules read. */
export interface BulkProduct {
  readonly id: string;
  readonly name: string;
  readonly slug: string | null;
  readonly metaTitle: string | null;
  readonly metaDescription: string | null;
  readonly categoryId: string | null;
  readonly status: ProductStatus;
  readonly publishedAt: string | null;
  readonly variantCount: number;
}

export interface BulkWrite {
  readonly before: BulkProduct;
  readonly after: BulkProduct;
}

const FIELDS = ['name', 'slug', 'metaTitle', 'metaDescription', 'categoryId', 'status', 'publishedAt'] as const;
export type BulkField = (typeof FIELDS)[number];

export const changedBulkFields = ({ before, after }: BulkWrite): BulkField[] =>
  FIELDS.filter((field) => before[field] !== after[field]);
