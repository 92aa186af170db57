import { mayCall } from '../../domain/identity/installation.ts';
import { provenKey, type ProvenKey } from '../../domain/identity/rate-limit.ts';
import type { PlatformApp } from '../../domain/identity/platform-app.ts';
import type { ClientCredentials } from '../../domain/ports/identity/installation-repository.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { ok, refuse, type Ok, type Refusal } from '../../domain/result.ts';
import { parseCredential } from '../../domain/identity/token.ts';

export interface ClientProof {
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * For the log only: the caller does not learn it. `unknown_client` includes an app of another
 * store's domain.
 */
export type ClientRejection =
  | 'malformed'
  | 'malformed_client_id'
  | 'malformed_client_secret'
  | 'unknown_client'
  | 'wrong_secret'
  | 'store_inactive'
  | 'uninstalled'
  | 'suspended';

export type RejectedClient = Refusal<'unauthenticated'> & { readonly reason: ClientRejection };

export const rejectedClient = (reason: ClientRejection): RejectedClient => ({ ...refuse('unauthenticated', ''), reason });

const rejection = (client: ClientCredentials, secretMatches: boolean): ClientRejection | null => {
  if (!secretMatches) return 'wrong_secret';
  if (client.storeStatus !== 'Active') return 'store_inactive';
  if (mayCall(client.status)) return null;
  return client.status === 'Uninstalled' ? 'uninstalled' : 'suspended';
};

const malformedIn = ({ clientId, clientSecret }: ClientProof): RejectedClient | null => {
  if (!parseCredential('clientId', clientId)) return rejectedClient('malformed_client_id');
  return parseCredential('clientSecret', clientSecret) ? null : rejectedClient('malformed_client_secret');
};

/**
 * Checks client credentials on the store of this domain. A wrong checksum is refused before any
 * database work. An unknown client id costs the same work as a wrong secret
 * (docs/specification/credentials.md, "Stored secrets").
 */
export const checkClient = async (
  { installations, secrets }: Pick<Ports, 'installations' | 'secrets'>,
  { clientId, clientSecret }: ClientProof,
  domain: string,
): Promise<Ok<ClientCredentials> | RejectedClient> => {
  const malformed = malformedIn({ clientId, clientSecret });
  if (malformed) return malformed;
  const client = await installations.credentials(clientId, domain);
  const matches = secrets.matchesClientSecret(clientSecret, client?.secretHashes ?? []);
  if (client === null) return rejectedClient('unknown_client');
  const reason = rejection(client, matches);
  return reason === null ? ok(client) : rejectedClient(reason);
};

/** A holder of the right credentials, as it is counted. */
export interface Holder {
  /** The key of the installation, or of the developer where there is no installation. */
  readonly key: ProvenKey;
  /** The key of the platform app. Null for an app of one store. */
  readonly appKey: ProvenKey | null;
}

/** Counts a holder before anything is written for it. Returns the refusal where its requests are too many. */
export type CountHolder = (holder: Holder) => Promise<Refusal<'rate_limited'> | null>;

export const holderOf = ({ installationId, platformAppId }: ClientCredentials): Holder => ({
  key: provenKey(installationId),
  appKey: platformAppId === null ? null : provenKey(platformAppId),
});

/** A developer's requests are counted beside those of the app's installations. */
export const developerOf = ({ id }: PlatformApp): Holder => ({ key: provenKey(id), appKey: provenKey(id) });

interface ProvenDeveloper {
  readonly app: PlatformApp;
  readonly secretHash: string;
}

/** Checks a platform app's client credentials, on any host. */
export const checkDeveloper = async (
  { platformApps, secrets }: Pick<Ports, 'platformApps' | 'secrets'>,
  { clientId, clientSecret }: ClientProof,
): Promise<Ok<ProvenDeveloper> | RejectedClient> => {
  const malformed = malformedIn({ clientId, clientSecret });
  if (malformed) return malformed;
  const found = await platformApps.secrets(clientId);
  const hashes = found?.secretHashes ?? [];
  const matches = secrets.matchesClientSecret(clientSecret, hashes);
  if (found === null) return rejectedClient('unknown_client');
  const secretHash = matches ? hashes.find((hash) => secrets.matchesClientSecret(clientSecret, [hash])) : undefined;
  if (secretHash === undefined) return rejectedClient('wrong_secret');
  return found.app.status === 'Active' ? ok({ app: found.app, secretHash }) : rejectedClient('suspended');
};

export const authenticateDeveloper =
  (ports: Pick<Ports, 'platformApps' | 'secrets'>) =>
  async (proof: ClientProof, count: CountHolder): Promise<Ok<PlatformApp> | RejectedClient | Refusal<'rate_limited'>> => {
    const proven = await checkDeveloper(ports, proof);
    if (!proven.ok) return proven;
    const { app } = proven.value;
    return (await count(developerOf(app))) ?? ok(app);
  };
