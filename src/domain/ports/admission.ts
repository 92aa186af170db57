import type { Caller } from '../identity/caller.ts';
import type { TokenRejection } from '../identity/token.ts';
import type { KnownKey } from './idempotency-repository.ts';

/** `known` is the finished request of the idempotency key, until the key expires. */
export type Authentication =
  | { readonly ok: true; readonly caller: Caller; readonly known: KnownKey | null }
  | { readonly ok: false; readonly reason: Exclude<TokenRejection, 'malformed'> };

export interface Admission {
  /**
   * Returns the caller of the token with this SHA-256 in hex, with the scopes granted now. Refuses
   * a token that is not valid, with the reason. Returns what the caller's idempotency key finished
   * with. Returns nothing for a key that still runs or has expired. Returns nothing for a key of
   * another installation.
   */
  authenticate(hash: string, domain: string, key?: string | null): Promise<Authentication>;
  /**
   * Returns the caller of the console session with this SHA-256 in hex, with the scopes granted now.
   * Refuses a session that is not valid, with the reason. A use keeps the session for another 30
   * minutes. Returns what the caller's idempotency key finished with.
   */
  authenticateSession(hash: string, domain: string, key?: string | null): Promise<Authentication>;
}
