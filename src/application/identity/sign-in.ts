import type { Ports } from '../../domain/ports/index.ts';
import { ok, refuse, type Result } from '../../domain/result.ts';
import { parseCredential } from '../../domain/identity/token.ts';
import { newCredential } from './new-credential.ts';

export type MerchantProof = { readonly token: string } | { readonly code: string };

const REFUSED = refuse(
  'unauthenticated',
  'The admin token is wrong, or the login code is wrong, has expired or was used before.',
);

/**
 * Starts a session of the merchant's console, and returns its secret this once. Sessions and codes
 * end when the admin token changes: each is kept with the hash of the token.
 */
export const signIn =
  ({ consoleSessions, secrets }: Pick<Ports, 'consoleSessions' | 'secrets'>, adminToken: string) =>
  async (proof: MerchantProof): Promise<Result<string, 'unauthenticated'>> => {
    const session = newCredential(secrets, 'session');
    const [hash, tokenHash] = [secrets.sha256(session), secrets.hashClientSecret(adminToken)];
    if ('token' in proof) {
      if (!secrets.equal(proof.token, adminToken)) return REFUSED;
      await consoleSessions.start(hash, tokenHash);
      return ok(session);
    }
    if (!parseCredential('loginCode', proof.code)) return REFUSED;
    return (await consoleSessions.exchange(secrets.sha256(proof.code), hash, tokenHash)) ? ok(session) : REFUSED;
  };
