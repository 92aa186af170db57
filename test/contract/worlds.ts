import type { BulkProduct } from '../../src/domain/catalogue/bulk-product.ts';
import type { Ports } from '../../src/domain/ports/index.ts';
import type { ProductReader } from '../../src/domain/ports/catalogue/product-reader.ts';

export const START = Date.parse('2026-01-01T00:00:00.000Z');
export const TTL_SECONDS = 86_400;

export interface SeenEvent {
  readonly type: string;
  readonly resourceId: string | null;
  readonly requestId: string | null;
  readonly body: string;
}

/**
 * An implementation of the ports that take part in transactions, with access for inserting and
 * reading rows.
 */
export interface World {
  readonly ports: Pick<Ports, 'transaction' | 'idempotency' | 'deliveries' | 'keyLog'>;
  aStore(): Promise<string>;
  anInstallation(storeId: string): Promise<string>;
  aProduct(storeId: string, product: BulkProduct): Promise<void>;
  aCategory(storeId: string, id: string): Promise<void>;
  /** Marks the product or the category as deleted. */
  remove(storeId: string, from: 'products' | 'categories', id: string): Promise<void>;
  /** Lets time pass for all keys: advances the clock, or moves their times back in the database. */
  pass(seconds: number): Promise<void>;
  events(): Promise<SeenEvent[]>;
  /** Does the work with a reader while no search can end in its time. */
  withSlowSearch<T>(work: (reader: ProductReader) => Promise<T>): Promise<T>;
  /** Slugs that redirect, with the product each leads to. */
  slugHistory(storeId: string): Promise<Record<string, string>>;
  close(): Promise<void>;
}
