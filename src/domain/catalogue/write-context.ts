import type { FirstFault } from './first-fault.ts';
import type { Product, ProductDocument } from './product.ts';

/** What the completion of documents needs besides them. */
export interface WriteContext {
  readonly storeId: string;
  readonly nextId: () => string;
  /** ISO 8601. */
  readonly now: string;
  /** Whether an absent field keeps its stored value. By default it takes its default value. */
  readonly keepsStored?: boolean;
}

/** One document on its way to a product. */
export interface Completion extends WriteContext {
  readonly document: ProductDocument;
  readonly productId: string;
  readonly current: Product | null;
  readonly faults: FirstFault;
}
