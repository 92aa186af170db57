import type { Ports } from '../../domain/ports/index.ts';
import type { Authentication } from '../../domain/ports/token-repository.ts';
import { parseCredential } from '../../domain/identity/token.ts';
import type { TokenRejection } from '../../domain/identity/token.ts';

/** `reason` is for the log alone: the caller gets an empty 401 whatever it was. */
export type Authenticated = Extract<Authentication, { ok: true }> | { readonly ok: false; readonly reason: TokenRejection };

/**
 * Who calls with this token on the store of this domain (lower-cased host, no port). A bad checksum is refused before any database work;
 * all else is one statement, asked anew for each request, so that a revocation holds from the very next one on every node. With the
 * request's idempotency key, it tells what that has finished with.
 */
export const authenticate =
  ({ secrets, tokens }: Pick<Ports, 'secrets' | 'tokens'>) =>
  async (token: string, domain: string, key: string | null = null): Promise<Authenticated> =>
    parseCredential('accessToken', token)
      ? tokens.authenticate(secrets.sha256(token), domain, key)
      : { ok: false, reason: 'malformed' };
