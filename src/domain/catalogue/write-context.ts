import type { FirstFault } from './first-fault.ts';
import type { Product, ProductDocument } from './product.ts';

/** Context for the completion of documents. */
export interface WriteContext {
  readonly storeId: string;
  readonly nextId: () => string;
  /** ISO 8601. */
  readonly now: string;
  /** By default an absent field takes its default value, and not its stored one. */
  readonly keepsStored?: boolean;
}

/** A document on its way to a product. */
export interface Completion extends WriteContext {
  readonly document: ProductDocument;
  readonly productId: string;
  readonly current: Product | null;
  readonly faults: FirstFault;
}
