import type { SessionOrigin } from '../../domain/identity/console-session.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { ok, refuse, type Result } from '../../domain/result.ts';
import { parseCredential } from '../../domain/identity/token.ts';
import { newCredential } from './new-credential.ts';

export type MerchantProof = { readonly token: string } | { readonly code: string };

const REFUSED = refuse(
  'unauthenticated',
  'The token is wrong or has ended, or the login code is wrong, has expired or was used before.',
);

/**
 * Starts a session of the merchant's console, and returns its secret this once. The admin token
 * starts one of its holder, and the token of an operator one of the operator. Sessions and codes
 * end when the admin token changes: each is kept with the hash of the token.
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
    const actor = await operatorTokens.authenticate(secrets.sha256(proof.token));
    if (actor === null) return REFUSED;
    await consoleSessions.start(hash, tokenHash, actor.operatorId, origin);
    return ok(session);
  };
