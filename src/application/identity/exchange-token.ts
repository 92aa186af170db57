import { mayCall } from '../../domain/identity/installation.ts';
import type { ClientCredentials } from '../../domain/ports/installation-repository.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { ok, refuse } from '../../domain/result.ts';
import type { Ok, Refusal } from '../../domain/result.ts';
import { notYetEnforcedScopes, usableScopes } from '../../domain/identity/scope.ts';
import { parseCredential } from '../../domain/identity/token.ts';
import { newCredential } from './new-credential.ts';

export interface TokenRequest {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly domain: string;
}

/**
 * The token response of app-api.md. `expiresIn` in seconds; the scopes sorted, separated by spaces.
 */
export interface TokenResponse {
  readonly accessToken: string;
  readonly tokenType: 'Bearer';
  readonly expiresIn: number;
  readonly scope: string;
  readonly scopeNotYetEnforced: string;
}

/**
 * For the log only: the caller always gets an empty 401. `unknown_client` includes an app of
 * another store's domain.
 */
export type ExchangeRejection = 'malformed' | 'unknown_client' | 'wrong_secret' | 'store_inactive' | 'uninstalled' | 'suspended';

export type ExchangedToken = Ok<TokenResponse> | (Refusal<'unauthenticated'> & { readonly reason: ExchangeRejection });

const rejected = (reason: ExchangeRejection): ExchangedToken => ({ ...refuse('unauthenticated', ''), reason });

const rejection = (client: ClientCredentials, secretMatches: boolean): ExchangeRejection | null => {
  if (!secretMatches) return 'wrong_secret';
  if (client.storeStatus !== 'Active') return 'store_inactive';
  if (mayCall(client.status)) return null;
  return client.status === 'Uninstalled' ? 'uninstalled' : 'suspended';
};

/**
 * Exchanges client credentials for a token on the store of this domain. A wrong checksum is refused
 * before any database work. An unknown client id costs the same work as a wrong secret
 * (decisions.md, Formats and At rest).
 */
export const exchangeToken =
  ({ installations, secrets, tokens }: Pick<Ports, 'installations' | 'secrets' | 'tokens'>) =>
  async ({ clientId, clientSecret, domain }: TokenRequest): Promise<ExchangedToken> => {
    if (!parseCredential('clientId', clientId) || !parseCredential('clientSecret', clientSecret)) return rejected('malformed');
    const client = await installations.credentials(clientId, domain);
    const matches = secrets.matchesClientSecret(clientSecret, client?.secretHashes ?? []);
    if (client === null) return rejected('unknown_client');
    const reason = rejection(client, matches);
    if (reason !== null) return rejected(reason);
    const accessToken = newCredential(secrets, 'accessToken');
    const expiresIn = await tokens.issue(client.installationId, secrets.sha256(accessToken));
    // Since the credentials were read, the app was suspended or uninstalled, or its store was
    // deactivated.
    if (expiresIn === null) return rejected('suspended');
    return ok({
      accessToken,
      tokenType: 'Bearer',
      expiresIn,
      scope: usableScopes(client.scopes).join(' '),
      scopeNotYetEnforced: notYetEnforcedScopes(client.scopes).join(' '),
    });
  };
