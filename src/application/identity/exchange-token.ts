import type { Ports } from '../../domain/ports/index.ts';
import { ok, type Ok, type Refusal } from '../../domain/result.ts';
import { notYetEnforcedScopes, usableScopes } from '../../domain/identity/scope.ts';
import {
  checkClient,
  holderOf,
  rejectedClient,
  type ClientProof,
  type CountHolder,
  type RejectedClient,
} from './check-client.ts';
import { newCredential } from './new-credential.ts';

export interface TokenExchange extends ClientProof {
  readonly domain: string;
}

/**
 * The token response (docs/specification/credentials.md, "Token route"). `expiresIn` in seconds;
 * the scopes sorted, separated by spaces.
 */
export interface TokenResponse {
  readonly accessToken: string;
  readonly tokenType: 'Bearer';
  readonly expiresIn: number;
  readonly scope: string;
  readonly scopeNotYetEnforced: string;
}

export type ExchangedToken = Ok<TokenResponse> | RejectedClient | Refusal<'rate_limited'>;

export const exchangeToken =
  ({ installations, secrets, tokens }: Pick<Ports, 'installations' | 'secrets' | 'tokens'>) =>
  async ({ domain, ...proof }: TokenExchange, count: CountHolder): Promise<ExchangedToken> => {
    const checked = await checkClient({ installations, secrets }, proof, domain);
    if (!checked.ok) return checked;
    const client = checked.value;
    const tooMany = await count(holderOf(client));
    if (tooMany) return tooMany;
    const accessToken = newCredential(secrets, 'accessToken');
    const expiresIn = await tokens.issue(client.storeId, client.installationId, secrets.sha256(accessToken));
    // Since the credentials were read, the app was suspended or uninstalled, or its store was
    // deactivated.
    if (expiresIn === null) return rejectedClient('suspended');
    return ok({
      accessToken,
      tokenType: 'Bearer',
      expiresIn,
      scope: usableScopes(client.scopes).join(' '),
      scopeNotYetEnforced: notYetEnforcedScopes(client.scopes).join(' '),
    });
  };
