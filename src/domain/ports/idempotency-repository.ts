import type { KeyRecord } from '../idempotency/idempotency.ts';

/** Keys are scoped to the installation, all routes together. */
export interface KeyScope {
  readonly installationId: string;
  readonly key: string;
}

export interface RememberedResponse {
  readonly status: number;
  /** Content-Type, and Location where there was one. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null when it was too large to keep. */
  readonly body: Uint8Array | null;
}

/** What is known of a key. */
export interface KnownKey {
  readonly record: KeyRecord;
  /** Null until the key is finished. */
  readonly response: RememberedResponse | null;
}

/** Used outside the work's transaction. */
export interface IdempotencyRepository {
  /** Inserts the key as running under this fingerprint if it isn't there, visible to every node at once; otherwise changes nothing. Never waits for a runner. */
  claim(scope: KeyScope, fingerprint: string): Promise<void>;
  /** The key as it stands, whoever has it; null when it isn't there. One that has not finished is `abandoned` here, since only a lock tells whether it is run. Expiry is by the database's clock. */
  find(scope: KeyScope): Promise<KnownKey | null>;
  /** Deletes up to `limit` keys that are expired, or were abandoned as long ago, and that nobody runs. Returns how many. */
  purge(limit: number): Promise<number>;
}

/** Bound to the work's transaction: the lock on the key is the proof that its runner lives. */
export interface IdempotencyLock {
  /** Locks the key until the transaction ends. Null when a live runner has it, it isn't there, or its app is uninstalled. Expiry is by the database's clock. */
  lock(scope: KeyScope): Promise<KnownKey | null>;
  /** Puts the locked key back to running, under this fingerprint, forgetting its response. */
  reset(scope: KeyScope, fingerprint: string): Promise<void>;
  /** Finishes the locked key with the response; its memory counts from here. */
  remember(scope: KeyScope, response: RememberedResponse): Promise<void>;
}
