import type { Ports } from '../../domain/ports/index.ts';

/** Ends a session of the merchant's console. One that has ended before stays as it is. */
export const signOut =
  ({ consoleSessions, secrets }: Pick<Ports, 'consoleSessions' | 'secrets'>) =>
  (session: string): Promise<void> =>
    consoleSessions.end(secrets.sha256(session));

/** The same for a session of the console of an app on the store of this domain. */
export const signOutApp =
  ({ appConsoleSessions, secrets }: Pick<Ports, 'appConsoleSessions' | 'secrets'>) =>
  (session: string, domain: string): Promise<void> =>
    appConsoleSessions.end(secrets.sha256(session), domain);
