import type { AdmittedCaller } from '../../identity/caller.ts';
import type { TokenRejection } from '../../identity/token.ts';
import type { KnownKey } from '../idempotency/idempotency-repository.ts';

/** The request's next look-up, made by the same statement as the token's. */
export type LookAhead =
  { readonly kind: 'key'; readonly key: string } | { readonly kind: 'product' | 'collection'; readonly id: string };

/**
 * `known` is the finished request of the idempotency key, until the key expires. `version` is that
 * of the product or collection; null where the caller's store does not have it, undefined where it
 * was not looked up. A refusal has a reason and no message: the caller must not learn why. Of several reasons it has the first:
 * `unknown_token`, `wrong_store`, `store_inactive`, `uninstalled`, `suspended`, `revoked`, `expired`.
 */
export type Authentication =
  | { readonly ok: true; readonly caller: AdmittedCaller; readonly known: KnownKey | null; readonly version?: string | null }
  | { readonly ok: false; readonly reason: Exclude<TokenRejection, 'malformed'> };

export interface Admission {
  /**
   * Returns the caller of the token with this SHA-256 in hex, with the scopes granted now. Names the platform
   * app whose sandbox store it calls. The store is the one that has the domain now. Refuses a token that is not valid, with the reason. Returns what the caller's idempotency key finished
   * with. Returns nothing for a key that still runs or has expired. Returns nothing for a key of
   * another installation. Returns the version of the live product or of the collection, which changes
   * with everything that its document shows.
   */
  authenticate(hash: string, domain: string, lookAhead?: LookAhead | null): Promise<Authentication>;
  /**
   * Returns the caller of the console session with this SHA-256 in hex, with the scopes granted now. The caller of a
   * session of a developer is the installation of its app on the store. Ends such a session with its client secret.
   * Names the platform app whose sandbox store it calls.
   * The store is the one that has the domain now. Refuses a session that is not valid, with the reason. A use keeps the session for another 30
   * minutes. Returns what the caller's idempotency key finished with.
   */
  authenticateSession(hash: string, domain: string, key?: string | null): Promise<Authentication>;
}
