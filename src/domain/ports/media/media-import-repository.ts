import type { Traceparent } from '../../trace.ts';
import type { ItemContent, ItemError, MediaImport } from '../../media/media-import.ts';

/** The installation that an import belongs to. */
export interface ImportOwner {
  readonly storeId: string;
  readonly installationId: string;
}

export interface NewImport extends ImportOwner {
  readonly id: string;
  readonly items: readonly (ItemContent & { readonly mediaId: string })[];
}

/** The next item to import. Only the worker with the installation's lease begins items. */
export interface ImportTask extends ItemContent, ImportOwner {
  /** The request that created its import. */
  readonly requestId: string | null;
  readonly traceparent: Traceparent | null;
  readonly importId: string;
  readonly index: number;
  readonly mediaId: string;
  /** How many workers began it before and did not end or release it. */
  readonly tries: number;
  /** How often its host was asked and failed in a way that may pass. */
  readonly asked: number;
  /** Missing product or variant, so that nothing has to be fetched. */
  readonly missing: Extract<ItemError, 'product_not_found' | 'variant_not_found'> | null;
}

export interface MediaImportRepository {
  /**
   * Returns the installation's own import. Returns null when the installation has no import with
   * this id.
   */
  get(owner: ImportOwner, id: string): Promise<MediaImport | null>;
  /**
   * Begins the installation's next open item: of the oldest import, by index. Marks the item as
   * Downloading and its import as Running. Skips the items in `begun`, which the caller has not
   * ended yet. Skips items of the hosts in `busy`. Skips items that wait to be tried again. Begins again an item that an earlier worker left. Says what is missing for the item.
   * Returns null when no item is open. Returns null while the app is suspended or uninstalled, or
   * the store is inactive.
   */
  begin(owner: ImportOwner, begun: readonly ImportTask[], busy?: readonly string[]): Promise<ImportTask | null>;
  /** Marks those of the store's items that have not ended as Pending, as if they had not been begun. */
  requeue(storeId: string, begun: readonly ImportTask[]): Promise<void>;
  /**
   * Marks the item as Pending, to be tried again after this many seconds. Counts that its host was
   * asked, and not that it was begun. Shows the reason and the time until it is begun or ends. Does
   * nothing when the item has ended.
   */
  postpone(task: ImportTask, seconds: number, reason: string): Promise<void>;
  /**
   * Returns the installations with open imports, each once. Limits them to one store or one
   * installation. Leaves out installations that are suspended or whose store is inactive. Includes
   * uninstalled apps, whose imports must end.
   */
  toRun(owner?: { readonly storeId: string; readonly installationId?: string | undefined }): Promise<readonly ImportOwner[]>;
  /** Deletes at most `limit` imports that ended more than `days` days ago, and returns how many. */
  purge(days: number, limit: number): Promise<number>;
  /**
   * Counts the imports that are queued or running. Does not count imports of suspended apps or
   * inactive stores.
   */
  open(): Promise<number>;
}

export interface MediaImportWrites {
  /**
   * Adds a queued import with all of its items pending. Keeps the id of the request that is the
   * cause. Keeps the trace of that request.
   */
  create(media: NewImport): Promise<void>;
  /**
   * Returns the open import. Keeps other transactions from locking it until this one ends. Returns
   * null when the import has ended or does not exist.
   */
  lockOpen(storeId: string, id: string): Promise<MediaImport | null>;
  /** Writes the state of the item with this index, and the import's status. */
  settle(after: MediaImport, index: number): Promise<void>;
  /**
   * Ends all open imports of the installation as Failed, with their open items as `uninstalled`.
   * Returns them, oldest first.
   */
  endAll(owner: ImportOwner): Promise<readonly MediaImport[]>;
}
