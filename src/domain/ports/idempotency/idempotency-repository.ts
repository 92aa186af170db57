import type { KeyRecord } from '../../idempotency/idempotency.ts';

/** A key belongs to an installation, across all routes. Without one, it belongs to the merchant of the store. */
export interface KeyScope {
  readonly storeId: string;
  readonly installationId: string | null;
  readonly key: string;
}

/** The key of an app. */
export interface AppKeyScope extends KeyScope {
  readonly installationId: string;
}

export interface RememberedResponse {
  readonly status: number;
  /** Content-Type, and Location when the response had one. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null when it was too large to store. */
  readonly body: Uint8Array | null;
}

export interface KnownKey {
  readonly record: KeyRecord;
  /** Null until the key is finished. */
  readonly response: RememberedResponse | null;
}

/** The keys of a merchant live as those of an app do. No app has one of them. */
export interface IdempotencyRepository {
  /**
   * Returns what is known of the key, also while a runner has it. Returns an unfinished key as
   * `abandoned`, because only a lock shows whether it runs. Returns a key as `expired` when its
   * time has passed. Returns null when the key does not exist. Returns null when the app was
   * uninstalled.
   */
  find(scope: KeyScope): Promise<KnownKey | null>;
  /**
   * Deletes expired keys, and unfinished keys of that age, unless a runner has them. Deletes the
   * keys of uninstalled apps. Deletes at most `limit` keys, and returns how many.
   */
  purge(limit: number): Promise<number>;
}

export interface IdempotencyLock {
  /**
   * Locks the key until the transaction ends, also when its work throws. Returns what is known of
   * the key. Returns null when a runner has the key. Returns null when the key does not exist.
   * Returns null when the app was uninstalled.
   */
  lock(scope: KeyScope): Promise<KnownKey | null>;
  /** Returns the locked key to running with this fingerprint, without its response. */
  reset(scope: KeyScope, fingerprint: string): Promise<void>;
  /**
   * Finishes the locked key and stores the response. Stores no body when it is null. Stores nothing
   * when the transaction fails. The time until the key expires starts here. Keeps the id of the
   * request that is the cause.
   */
  remember(scope: KeyScope, response: RememberedResponse): Promise<void>;
}
