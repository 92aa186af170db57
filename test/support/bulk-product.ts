import type { BulkProduct } from '../../src/domain/catalogue/bulk-product.ts';

/** A draft with a variant, which may be anything else. */
export const aBulkProduct = (over: Partial<BulkProduct> = {}): BulkProduct => ({
  id: '00000000-0000-7000-8000-00000000000a',
  name: 'Dovetail saw',
  slug: 'dovetail-saw',
  metaTitle: null,
  metaDescription: null,
  categoryId: null,
  status: 'Draft',
  publishedAt: null,
  variantCount: 1,
  ...over,
});
