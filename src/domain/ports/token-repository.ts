import type { Caller } from '../identity/caller.ts';
import type { KnownKey } from './idempotency-repository.ts';
import type { TokenRejection } from '../identity/token.ts';

/** `known` is what the request's key has finished with, while that is remembered. */
export type Authentication =
  | { readonly ok: true; readonly caller: Caller; readonly known: KnownKey | null }
  | { readonly ok: false; readonly reason: Exclude<TokenRejection, 'malformed'> };

export interface TokenRepository {
  /** Issues a token with this SHA-256 (hex) and answers the seconds it lives. Null, and nothing is written, when the installation may not call (any more). An installation may hold many. */
  issue(installationId: string, hash: string): Promise<number | null>;
  /**
   * Who calls with the token of this hash on the store of this domain, judged in one statement by the database's clock and with the scopes
   * granted now. The same statement looks up the idempotency key, where one came along: most replays need no other.
   */
  authenticate(hash: string, domain: string, key?: string | null): Promise<Authentication>;
  /** Revokes every token of the installation. False when there is no such installation. */
  revokeAll(installationId: string): Promise<boolean>;
  /** Deletes up to `limit` tokens that have expired or were revoked. Returns how many. */
  purge(limit: number): Promise<number>;
}
