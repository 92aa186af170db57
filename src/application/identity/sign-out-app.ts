import type { Ports } from '../../domain/ports/index.ts';

/** Ends a session of an app's console. One that has ended before stays as it is. */
export const signOutApp =
  ({ appConsoleSessions, secrets }: Pick<Ports, 'appConsoleSessions' | 'secrets'>) =>
  (session: string): Promise<void> =>
    appConsoleSessions.end(secrets.sha256(session));
