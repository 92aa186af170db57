import type { Caller } from '../identity/caller.ts';
import type { TokenRejection } from '../identity/token.ts';
import type { KnownKey } from './idempotency-repository.ts';

/** `known` is the finished request of the idempotency key, as long as it is remembered. */
export type Authentication =
  | { readonly ok: true; readonly caller: Caller; readonly known: KnownKey | null }
  | { readonly ok: false; readonly reason: Exclude<TokenRejection, 'malformed'> };

export interface Admission {
  /**
   * Finds who calls with the token of this SHA-256 (hex) on the store of this domain, with the scopes granted now.
   * Refuses a token that is not valid, with the reason. Expiry is by the database's clock. Looks up the idempotency key together with the token: a finished one of the
   * caller is known, a running one is not. A key of another installation is not known.
   */
  authenticate(hash: string, domain: string, key?: string | null): Promise<Authentication>;
}
