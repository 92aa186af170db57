import type { ProviderAccount } from '../../identity/sign-in-method.ts';

/** Secrets of a single sign-in. `verifier` is for PKCE (RFC 7636). */
export interface ProviderSignIn {
  readonly redirectUrl: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/**
 * `declined`: the person did not sign in there. `invalid`: the answer is not one for this sign-in. `unavailable`: the provider does
 * not answer, answers what is not OpenID Connect, or does not take the credentials of this server.
 */
export type ProviderRefusal = 'declined' | 'invalid' | 'unavailable';

export interface IdentityProvider {
  /** Is what people know it by. */
  readonly name: string;
  /**
   * Returns the address where the person signs in. It has the state, the nonce and the hash of the
   * verifier. Returns null when the provider does not answer.
   */
  signInUrl(signIn: ProviderSignIn): Promise<string | null>;
  /**
   * Returns the account that signed in, by the query that the provider sent the person back with.
   * Returns `declined` when the person did not sign in. Returns `invalid` when the state is of another sign-in. Returns
   * `invalid` when the code was used before. Returns `invalid` when the nonce is of another sign-in. Returns `invalid` when the
   * token is for another client. Returns `unavailable` when the provider does not answer.
   */
  accountOf(query: string, signIn: ProviderSignIn): Promise<ProviderAccount | ProviderRefusal>;
}
