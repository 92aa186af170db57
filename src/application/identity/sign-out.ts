import type { Ports } from '../../domain/ports/index.ts';

/** Ends a session of the merchant's console. One that has ended before stays as it is. */
export const signOut =
  ({ consoleSessions, secrets }: Pick<Ports, 'consoleSessions' | 'secrets'>) =>
  (session: string): Promise<void> =>
    consoleSessions.end(secrets.sha256(session));
