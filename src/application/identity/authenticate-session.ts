import type { LookAhead } from '../../domain/ports/identity/admission.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { parseCredential } from '../../domain/identity/token.ts';
import type { Authenticated } from './authenticate.ts';

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
