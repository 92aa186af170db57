import type { ImportOwner } from './media-import-repository.ts';

export interface ImportQueue {
  /**
   * Requests that the imports of each installation continue. Several requests before the work
   * starts make it run once. A request while the work runs makes it run again afterwards, never
   * twice at once. Does nothing for an empty list.
   */
  ask(owners: readonly ImportOwner[]): Promise<void>;
  /**
   * Requests the same after this many seconds. A later call for the same installation replaces the
   * time. Does not delay an `ask` in the meantime.
   */
  askLater(owner: ImportOwner, seconds: number): Promise<void>;
  /** Starts to do on this node what any node requested. Tries work again that throws. */
  work(run: (owner: ImportOwner) => Promise<void>): void;
  /** Counts the work that waits to start. Does not count delayed work. */
  depth(): Promise<number>;
  /** Waits for running work. Starts no more work. */
  close(): Promise<void>;
}
