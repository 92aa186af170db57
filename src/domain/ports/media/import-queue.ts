import type { ImportOwner } from './media-import-repository.ts';

export interface ImportQueue {
  /**
   * Requests that the imports of each installation continue. Several requests before the work
   * starts make it run once. A request while the work runs makes it run again afterwards, never
   * twice at once. Does nothing for an empty list.
   */
  ask(owners: readonly ImportOwner[]): Promise<void>;
  /** Starts to do on this node what any node requested. Tries work again that throws. */
  work(run: (owner: ImportOwner) => Promise<void>): void;
  /** Counts the work that waits to start. */
  depth(): Promise<number>;
  /** Waits for running work. Starts no more work. */
  close(): Promise<void>;
}
