import type { Ports } from '../../domain/ports/index.ts';
import { parseCredential } from '../../domain/identity/token.ts';

/**
 * Whether this is a session of the merchant's console that has not ended. It then lasts for another
 * 30 minutes, and 8 hours in all.
 */
export const useSession =
  ({ consoleSessions, secrets }: Pick<Ports, 'consoleSessions' | 'secrets'>, adminToken: string) =>
  async (session: string): Promise<boolean> =>
    parseCredential('session', session) && consoleSessions.use(secrets.sha256(session), secrets.hashClientSecret(adminToken));

/** Whether a session of the merchant's console is still valid. Unlike a use, it keeps the session no longer. */
export const checkSession =
  ({ consoleSessions, secrets }: Pick<Ports, 'consoleSessions' | 'secrets'>, adminToken: string) =>
  (session: string): Promise<boolean> =>
    consoleSessions.isValid(secrets.sha256(session), secrets.hashClientSecret(adminToken));
