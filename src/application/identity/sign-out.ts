import { parseCredential } from '../../domain/identity/token.ts';
import type { Ports } from '../../domain/ports/index.ts';

/** Ends a session of the merchant's console. One that has ended before stays as it is, and so does what is not a session. */
export const signOut =
  ({ consoleSessions, secrets }: Pick<Ports, 'consoleSessions' | 'secrets'>) =>
  async (session: string): Promise<void> => {
    if (parseCredential('session', session)) await consoleSessions.end(secrets.sha256(session));
  };

/** Signs out of an app's console: a developer, or somebody on the store of this domain. */
export const signOutApp =
  ({ appConsoleSessions, developerSessions, secrets }: Pick<Ports, 'appConsoleSessions' | 'developerSessions' | 'secrets'>) =>
  async (session: string, domain: string | null): Promise<void> => {
    if (!parseCredential('session', session)) return;
    const hash = secrets.sha256(session);
    await developerSessions.end(hash);
    if (domain !== null) await appConsoleSessions.end(hash, domain);
  };
