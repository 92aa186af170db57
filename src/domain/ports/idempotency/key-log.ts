import type { KeyUse } from '../../idempotency/key-use.ts';
import type { AppKeyScope } from './idempotency-repository.ts';

/** Times are ISO 8601 in UTC with milliseconds. */
export interface KeyLife {
  readonly state: 'running' | 'abandoned' | 'finished' | 'expired';
  readonly firstAt: string;
  readonly finishedAt: string | null;
  readonly expiresAt: string | null;
  readonly status: number | null;
  /** Size of the response's body. Null when it is not kept. */
  readonly bytes: number | null;
  readonly replayable: boolean;
  readonly replays: number;
  readonly conflicts: number;
  readonly mismatches: number;
  readonly eventIds: readonly string[];
}

/** How often a key was used in each way. */
export type KeyUses = AppKeyScope & Readonly<Record<KeyUse, number>>;

export interface KeyLog {
  /**
   * Returns the life of the key. Returns `running` only while a runner has the key, and `abandoned`
   * for another unfinished key. Takes no lock that a runner could meet. Returns the ids of the
   * events that the request of the key caused. Returns null when the key does not exist. Returns null when the app was uninstalled.
   */
  get(scope: AppKeyScope): Promise<KeyLife | null>;
  /**
   * Adds the uses to those of each key. Adds nothing for a key that does not exist. Counts from
   * zero after the key was reset. Does not wait for a runner of the key.
   */
  count(uses: readonly KeyUses[]): Promise<void>;
  /**
   * Deletes at most `limit` counts of keys that have ended, and returns how many. Keeps the counts
   * of a key that exists.
   */
  purge(limit: number): Promise<number>;
}
