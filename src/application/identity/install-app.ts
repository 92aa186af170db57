import { grantedScopes, type Installation } from '../../domain/identity/installation.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, type Result } from '../../domain/result.ts';
import type { Scope } from '../../domain/identity/scope.ts';
import { newClientSecret, newCredential, signingSecretFor } from './new-credential.ts';

/**
 * The only place where the secrets can be read: of the client secret only a hash is kept, of the
 * signing secret its sealed form.
 */
export interface InstalledApp {
  readonly installation: Installation;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly signingSecret: string;
}

export const installApp =
  ({ ids, installations, secrets }: Pick<Ports, 'ids' | 'installations' | 'secrets'>) =>
  async (storeId: string, app: { name: string; scopes: readonly Scope[] }): Promise<Result<InstalledApp, 'not_found'>> => {
    const id = ids.next();
    const clientId = newCredential(secrets, 'clientId');
    const { clientSecret, kept: ofClient } = newClientSecret({ ids, secrets });
    const { signingSecret, kept: ofSigning } = signingSecretFor({ ids, secrets }, id);
    const installation = await installations.create({
      id,
      storeId,
      name: app.name,
      clientId,
      scopes: grantedScopes(app.scopes),
      clientSecret: ofClient,
      signingSecret: ofSigning,
    });
    return installation ? ok({ installation, clientId, clientSecret, signingSecret }) : notFound('Store');
  };
