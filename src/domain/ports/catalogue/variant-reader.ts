import type { VariantNames } from '../../catalogue/bulk-variant.ts';
import type { Variant } from '../../catalogue/product.ts';

export interface VariantReader {
  /**
   * Returns the store's live variants with one of these ids or SKUs, by id, as their products show
   * them. Starts after the id `after`, or at the first variant when it is null. Returns `limit`
   * variants, and fewer only at the end.
   */
  find(storeId: string, names: VariantNames, after: string | null, limit: number): Promise<Variant[]>;
}
