import type { SessionOrigin } from '../../domain/identity/console-session.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { ok, refuse, type Result } from '../../domain/result.ts';
import { parseCredential } from '../../domain/identity/token.ts';
import { openerOf } from './create-console-code.ts';
import { newCredential } from './new-credential.ts';

export type MerchantProof = { readonly token: string } | { readonly code: string };

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
