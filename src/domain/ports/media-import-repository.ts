import type { ItemContent, ItemError, MediaImport } from '../media/media-import.ts';

export interface NewImport {
  readonly id: string;
  readonly storeId: string;
  readonly installationId: string;
  readonly items: readonly (ItemContent & { readonly mediaId: string })[];
}

/** An item whose turn it is. */
export interface ImportTask extends ItemContent {
  readonly importId: string;
  readonly storeId: string;
  readonly installationId: string;
  readonly index: number;
  readonly mediaId: string;
  /** How often it was begun before, each time by a worker that neither ended it nor handed it back. */
  readonly tries: number;
  /** What is known to be missing, so that nothing is fetched for it. */
  readonly missing: Extract<ItemError, 'product_not_found' | 'variant_not_found'> | null;
}

/** Imports are served installation by installation: one that asks for much holds up itself alone. */
export interface MediaImportRepository {
  /** The installation's own import. Null when it has none of this id. */
  get(installationId: string, id: string): Promise<MediaImport | null>;
  /** Makes the installation's next open item Downloading and its import Running: of the oldest import, by index. To be called by the leaseholder alone, with what it has begun and not ended: what an earlier leaseholder left is taken again. Null when none is open or while they are held: the app is suspended or uninstalled, or the store inactive. */
  begin(installationId: string, begun: readonly ImportTask[]): Promise<ImportTask | null>;
  /** Makes those of the items that were begun and have not ended Pending again, as if they had not been begun. */
  requeue(begun: readonly ImportTask[]): Promise<void>;
  /** The installations that have imports which can go on or must end: not held by a suspension or an inactive store. Of the whole world, one store, or one installation. */
  toRun(owner?: { readonly storeId: string; readonly installationId?: string | undefined }): Promise<readonly string[]>;
  /** Removes up to `limit` imports that ended more than so many days ago. How many it were. */
  purge(days: number, limit: number): Promise<number>;
  /** Imports that are queued or running, held ones not counted. */
  open(): Promise<number>;
}

/** Bound to a transaction. */
export interface MediaImportWrites {
  /** Adds a queued import, all of its items pending. */
  create(media: NewImport): Promise<void>;
  /** Locks the import until the transaction ends and returns it as it is then. Null when it has ended or isn't there. */
  lockOpen(id: string): Promise<MediaImport | null>;
  /** Writes what became of the item of this index, and the import's status with it. */
  settle(after: MediaImport, index: number): Promise<void>;
  /** Ends all open imports of the installation as Failed, their open items as `uninstalled`, and returns them, the oldest first. */
  endAll(installationId: string): Promise<readonly MediaImport[]>;
}
