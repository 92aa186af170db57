import type { Ports } from '../../domain/ports/index.ts';
import type { Authentication, LookAhead } from '../../domain/ports/identity/admission.ts';
import { parseCredential, type TokenRejection } from '../../domain/identity/token.ts';

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
