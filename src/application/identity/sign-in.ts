import type { SessionOrigin } from '../../domain/identity/console-session.ts';
import { parseCredential } from '../../domain/identity/token.ts';
import type { SessionUse } from '../../domain/ports/identity/console-sessions.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { ok, refuse, type Result } from '../../domain/result.ts';
import { openerOf } from './create-console-code.ts';
import { newCredential } from './new-credential.ts';

type MerchantProof = { readonly token: string } | { readonly code: string };

const REFUSED = refuse(
  'unauthenticated',
  'The token is wrong or has ended, or the login code is wrong, has expired or was used before.',
);

/** Finds the operator that a login code signs in. The code stays unused. */
export const lookAtCode =
  ({ consoleSessions, secrets }: Pick<Ports, 'consoleSessions' | 'secrets'>, adminToken: string) =>
  async (code: string): Promise<Result<{ readonly name: string }, 'unauthenticated'>> => {
    if (!parseCredential('loginCode', code)) return REFUSED;
    const found = await consoleSessions.lookAtCode(secrets.sha256(code), secrets.hashClientSecret(adminToken));
    return found ? ok({ name: found.name }) : REFUSED;
  };

/**
 * Starts a session of the merchant's console, and returns its secret this once. The admin token
 * starts one of its holder, and the token of an operator one of the operator, which ends with the
 * token. Sessions and codes end when the admin token changes: each is kept with its hash.
 */
export const signIn =
  (ports: Pick<Ports, 'consoleSessions' | 'operatorTokens' | 'secrets'>, adminToken: string) =>
  async (proof: MerchantProof, origin: SessionOrigin): Promise<Result<string, 'unauthenticated'>> => {
    const { consoleSessions, operatorTokens, secrets } = ports;
    const session = newCredential(secrets, 'session');
    const [hash, tokenHash] = [secrets.sha256(session), secrets.hashClientSecret(adminToken)];
    if ('code' in proof) {
      if (!parseCredential('loginCode', proof.code)) return REFUSED;
      return (await consoleSessions.exchange(secrets.sha256(proof.code), hash, tokenHash, origin)) ? ok(session) : REFUSED;
    }
    if (secrets.equal(proof.token, adminToken)) {
      await consoleSessions.start(hash, tokenHash, null, origin);
      return ok(session);
    }
    if (!parseCredential('operatorToken', proof.token)) return REFUSED;
    const token = await operatorTokens.authenticate(secrets.sha256(proof.token));
    const opener = token && openerOf(token.actor, token.id);
    // The token may have ended meanwhile.
    return opener && (await consoleSessions.start(hash, tokenHash, opener, origin)) ? ok(session) : REFUSED;
  };

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
