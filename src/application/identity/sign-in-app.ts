import type { Ports } from '../../domain/ports/index.ts';
import { ok, type Ok, type Refusal } from '../../domain/result.ts';
import { parseCredential } from '../../domain/identity/token.ts';
import {
  checkClient,
  checkDeveloper,
  developerOf,
  holderOf,
  rejectedClient,
  type ClientProof,
  type CountHolder,
  type RejectedClient,
} from './check-client.ts';
import { newCredential } from './new-credential.ts';

export type AppProof = ClientProof | { readonly code: string };

type SignInPorts = Pick<Ports, 'appConsoleSessions' | 'developerSessions' | 'installations' | 'platformApps' | 'secrets'>;

/**
 * Returns true when the code started the session: for an installation on the store of this domain,
 * or for a developer.
 */
const exchange = async (ports: SignInPorts, code: string, hash: string, domain: string | null): Promise<boolean> =>
  (domain !== null && (await ports.appConsoleSessions.exchange(code, hash, domain))) ||
  ports.developerSessions.exchange(code, hash);

/** The app whose developer a login code signs in. The code stays as it is. */
export const lookAtAppCode =
  ({ appConsoleSessions, developerSessions, platformApps, secrets }: SignInPorts) =>
  async (code: string, domain: string | null): Promise<Ok<{ readonly name: string }> | RejectedClient> => {
    if (!parseCredential('loginCode', code)) return rejectedClient('malformed');
    const hash = secrets.sha256(code);
    const own = domain === null ? null : await appConsoleSessions.lookAtCode(hash, domain);
    if (own !== null) return ok({ name: own });
    const appId = await developerSessions.lookAtCode(hash);
    const app = appId === null ? null : await platformApps.get(appId);
    return app === null ? rejectedClient('unknown_client') : ok({ name: app.name });
  };

/**
 * Signs in the developer of a platform app, to all of its installations; or of an app of one store, on the domain of
 * that store.
 */
export const signInApp =
  (ports: SignInPorts) =>
  async (
    proof: AppProof,
    domain: string | null,
    count: CountHolder,
  ): Promise<Ok<string> | RejectedClient | Refusal<'rate_limited'>> => {
    const { appConsoleSessions, developerSessions, secrets } = ports;
    const session = newCredential(secrets, 'session');
    const hash = secrets.sha256(session);
    // Since the credentials were read, the app may have been suspended or uninstalled.
    const startedOr = (started: boolean, reason: 'suspended' | 'unknown_client') =>
      started ? ok(session) : rejectedClient(reason);
    if ('code' in proof) {
      if (!parseCredential('loginCode', proof.code)) return rejectedClient('malformed');
      return startedOr(await exchange(ports, secrets.sha256(proof.code), hash, domain), 'unknown_client');
    }
    const developer = await checkDeveloper(ports, proof);
    if (developer.ok) {
      const { app, secretHash } = developer.value;
      return (await count(developerOf(app))) ?? startedOr(await developerSessions.start(app.id, secretHash, hash), 'suspended');
    }
    if (domain === null) return developer;
    const client = await checkClient(ports, proof, domain);
    if (!client.ok) return client;
    const { storeId, installationId } = client.value;
    const tooMany = await count(holderOf(client.value));
    return tooMany ?? startedOr(await appConsoleSessions.start(storeId, installationId, hash), 'suspended');
  };
