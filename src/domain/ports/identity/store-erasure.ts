import type { Erasure } from '../../identity/store.ts';
import type { FileId } from '../media/media-file-repository.ts';

export interface StoreErasure {
  /**
   * Takes the store out of use, to be erased. Its tokens and console sessions end, its apps are
   * uninstalled and its subscriptions inactive. Stops attempts in flight. Frees the domain of the
   * store for another one. Returns `other_domain` and changes nothing when this is not the domain
   * of the store. Returns the same erasure when it is repeated. Returns null when the store does not
   * exist.
   */
  accept(storeId: string, domain: string): Promise<Erasure | 'other_domain' | null>;
  /** Returns the stores that are being erased. */
  open(): Promise<readonly string[]>;
  /**
   * Erases at most `limit` rows of a store that is being erased, and returns how many. Erases the
   * store itself when nothing else of it remains, a minute after its erasure was accepted. Leaves
   * the rows of other stores as they are.
   */
  eraseRows(limit: number): Promise<number>;
  /**
   * Returns at most `limit` media files of stores that are being erased, a minute after it was
   * accepted.
   */
  files(limit: number): Promise<readonly FileId[]>;
  /** Forgets files that are removed from the storage. */
  forget(files: readonly FileId[]): Promise<void>;
}
