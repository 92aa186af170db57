import type { SessionUse } from '../../domain/ports/identity/console-sessions.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { parseCredential } from '../../domain/identity/token.ts';

/**
 * The session of the merchant's console with who uses it; null when it has ended. It then lasts for
 * another 30 minutes, and 8 hours in all.
 */
export const useSession =
  ({ consoleSessions, secrets }: Pick<Ports, 'consoleSessions' | 'secrets'>, adminToken: string) =>
  async (session: string): Promise<SessionUse | null> =>
    parseCredential('session', session)
      ? consoleSessions.use(secrets.sha256(session), secrets.hashClientSecret(adminToken))
      : null;

/** Reads a session without extending its life. */
export const lookAtSession =
  ({ consoleSessions, secrets }: Pick<Ports, 'consoleSessions' | 'secrets'>, adminToken: string) =>
  (session: string): Promise<SessionUse | null> =>
    consoleSessions.look(secrets.sha256(session), secrets.hashClientSecret(adminToken));
