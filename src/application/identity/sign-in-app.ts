import type { Ports } from '../../domain/ports/index.ts';
import { ok, type Ok } from '../../domain/result.ts';
import { parseCredential } from '../../domain/identity/token.ts';
import { checkClient, rejectedClient, type ClientProof, type RejectedClient } from './check-client.ts';
import { newCredential } from './new-credential.ts';

export type AppProof = ClientProof | { readonly code: string };

export const signInApp =
  (ports: Pick<Ports, 'appConsoleSessions' | 'installations' | 'secrets'>) =>
  async (proof: AppProof, domain: string): Promise<Ok<string> | RejectedClient> => {
    const { appConsoleSessions, secrets } = ports;
    const session = newCredential(secrets, 'session');
    const hash = secrets.sha256(session);
    if ('code' in proof) {
      if (!parseCredential('loginCode', proof.code)) return rejectedClient('malformed');
      const started = await appConsoleSessions.exchange(secrets.sha256(proof.code), hash, domain);
      return started ? ok(session) : rejectedClient('unknown_client');
    }
    const client = await checkClient(ports, proof, domain);
    if (!client.ok) return client;
    // Since the credentials were read, the app may have been suspended or uninstalled.
    const { storeId, installationId } = client.value;
    return (await appConsoleSessions.start(storeId, installationId, hash)) ? ok(session) : rejectedClient('suspended');
  };
