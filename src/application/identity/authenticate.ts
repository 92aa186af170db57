import { parseCredential, type TokenRejection } from '../../domain/identity/token.ts';
import type { Authentication, LookAhead } from '../../domain/ports/identity/admission.ts';
import type { TokenUse } from '../../domain/ports/identity/operator-tokens.ts';
import type { Ports } from '../../domain/ports/index.ts';

/** `reason` is for the log only: the caller always gets an empty 401. */
export type Authenticated = Extract<Authentication, { ok: true }> | { readonly ok: false; readonly reason: TokenRejection };

/**
 * Finds who calls with this token on the store of this domain (lower-cased host, no port). A wrong
 * checksum is refused before any database work. Nothing of the token is cached: every request runs
 * one statement, so a revocation applies to the next request on every node. The statement also looks
 * up what the request needs next: its idempotency key, or the version of what it reads.
 */
export const authenticate =
  ({ admission, secrets }: Pick<Ports, 'admission' | 'secrets'>) =>
  async (token: string, domain: string, lookAhead: LookAhead | null = null): Promise<Authenticated> =>
    parseCredential('accessToken', token)
      ? admission.authenticate(secrets.sha256(token), domain, lookAhead)
      : { ok: false, reason: 'malformed' };

/**
 * Finds who calls with this session of an app's console, as `authenticate` does for a token. The
 * caller is the installation, with its present scopes. Of what the request needs next, only its
 * idempotency key is looked up.
 */
export const authenticateSession =
  ({ admission, secrets }: Pick<Ports, 'admission' | 'secrets'>) =>
  async (session: string, domain: string, lookAhead: LookAhead | null = null): Promise<Authenticated> =>
    parseCredential('session', session)
      ? admission.authenticateSession(secrets.sha256(session), domain, lookAhead?.kind === 'key' ? lookAhead.key : null)
      : { ok: false, reason: 'malformed' };

/**
 * Finds the token and the operator who calls with it; null for none. Nothing of it is cached: every
 * request runs one statement, so the end of an operator or a token applies to the next request on
 * every node.
 */
export const authenticateOperator =
  ({ operatorTokens, secrets }: Pick<Ports, 'operatorTokens' | 'secrets'>) =>
  async (token: string): Promise<TokenUse | null> =>
    parseCredential('operatorToken', token) ? operatorTokens.authenticate(secrets.sha256(token)) : null;
