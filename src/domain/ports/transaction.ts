import type { Cause } from '../cause.ts';
import { Unavailable } from '../unavailable.ts';
import type { BulkProductRepository } from './catalogue/bulk-product-repository.ts';
import type { BulkVariantRepository } from './catalogue/bulk-variant-repository.ts';
import type { CategoryRepository } from './catalogue/category-repository.ts';
import type { CollectionRepository } from './catalogue/collection-repository.ts';
import type { EventRepository } from './webhooks/event-repository.ts';
import type { IdempotencyLock, KeyScope } from './idempotency/idempotency-repository.ts';
import type { InstallationRemoval } from './identity/installation-repository.ts';
import type { MediaFileUse } from './media/media-file-repository.ts';
import type { MediaImportWrites } from './media/media-import-repository.ts';
import type { MetaobjectWrites } from './custom-data/metaobject-repository.ts';
import type { SandboxRoom } from './identity/sandbox-room.ts';
import type { ProductRepository } from './catalogue/product-repository.ts';
import type { TaxClassRepository } from './catalogue/tax-class-repository.ts';
import type { WarehouseRepository } from './catalogue/warehouse-repository.ts';

/** The ports that are bound to one transaction. */
export interface TransactionPorts {
  readonly bulkProducts: BulkProductRepository;
  readonly bulkVariants: BulkVariantRepository;
  readonly categories: CategoryRepository;
  readonly collections: CollectionRepository;
  readonly products: ProductRepository;
  readonly taxClasses: TaxClassRepository;
  readonly warehouses: WarehouseRepository;
  readonly events: EventRepository;
  readonly idempotency: IdempotencyLock;
  readonly installations: InstallationRemoval;
  readonly mediaFiles: MediaFileUse;
  readonly mediaImports: MediaImportWrites;
  readonly metaobjects: MetaobjectWrites;
  readonly sandboxRoom: SandboxRoom;
}

/** The idempotency key of a request, whose work is done under it. */
export interface Claim {
  readonly cause: Cause;
  readonly scope: KeyScope;
  readonly fingerprint: string;
}

/**
 * Work of a transaction. The database may prefer another transaction; then nothing of this one is
 * kept, and the work runs again. So it changes nothing but through these ports.
 */
export type Work<T> = (ports: TransactionPorts) => Promise<T>;

export interface Transaction {
  /**
   * Runs the work with ports that are bound to one transaction, and returns its result. Commits
   * everything written when the work resolves. Writes nothing when the work throws, and rejects
   * with the same error. Writes nothing and rejects when a write fails that a port did not wait
   * for. Writes nothing and rejects when a port has failed, also where the work caught its error.
   */
  run<T>(cause: Cause, work: Work<T>): Promise<T>;
  /**
   * Runs the work as `run` does, under a key. Inserts the key as running with its fingerprint, before
   * the transaction begins. Shows the key to all at once, and keeps it when the work throws. Changes
   * nothing when the key exists. Does not wait for a runner of the key.
   */
  runClaimed<T>(claim: Claim, work: Work<T>): Promise<T>;
}

/**
 * The database cannot answer now: it is unreachable, it stops, a statement ran into its timeout, or
 * it preferred other transactions each time. Nothing was committed. Every port of a storage may
 * throw it, and a later attempt may succeed.
 */
export class DatabaseUnavailable extends Unavailable {
  override readonly name = 'DatabaseUnavailable';
}

/**
 * COMMIT was sent and its answer was lost, so the work may or may not be done. A retry with the
 * same key finds out.
 */
export class OutcomeUnknown extends Unavailable {
  override readonly name = 'OutcomeUnknown';
}
