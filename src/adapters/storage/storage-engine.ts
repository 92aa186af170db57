import type { StorageAdapter } from './storage.ts';

/**
 * Promises that not every engine makes:
 * - `durable`: committed rows survive a crash of the process and of its machine.
 * - `many_nodes`: processes on several machines may use it at the same time.
 * - `job_queue`: BullMQ can keep its jobs in it. Otherwise a node needs Redis.
 * - `wakes`: a node hears of what another one commits without asking for it again and again.
 */
export type StoragePromise = 'durable' | 'many_nodes' | 'job_queue' | 'wakes';

/** An engine as settings and messages name it. Its adapter is loaded when it is used. `docs/storage-adapters.md` is its guide. */
export interface StorageEngine {
  /** Its name in messages, such as `PostgreSQL`. */
  readonly name: string;
  /** The value of `db.system.name` in its spans. */
  readonly system: string;
  /** The schemes of DATABASE_URL that it takes, such as `postgresql:`. */
  readonly schemes: readonly string[];
  readonly promises: ReadonlySet<StoragePromise>;
  /** Describes its addresses to the operator, in whole sentences. */
  readonly about: string;
  /** Completes the sentence "DATABASE_URL must be a URL that begins with". */
  readonly beginning: string;
  /** Why it refuses an address of one of its schemes, after the words "DATABASE_URL: ". Null for an address that it takes. */
  faultOf(url: string): string | null;
  /**
   * Path of a Unix socket, in at most 100 bytes, that the process with the storage holds. Null where processes can share it, or where
   * each has its own.
   */
  heldBy(url: string): string | null;
  load(): Promise<StorageAdapter>;
}
