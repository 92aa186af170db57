import type { Ports } from '../../domain/ports/index.ts';
import { parseCredential } from '../../domain/identity/token.ts';
import type { Authenticated } from './authenticate.ts';

/**
 * Finds who calls with this session of an app's console, as `authenticate` does for a token. The
 * caller is the installation, with its present scopes.
 */
export const authenticateSession =
  ({ admission, secrets }: Pick<Ports, 'admission' | 'secrets'>) =>
  async (session: string, domain: string, key: string | null = null): Promise<Authenticated> =>
    parseCredential('session', session)
      ? admission.authenticateSession(secrets.sha256(session), domain, key)
      : { ok: false, reason: 'malformed' };
