import { grantedScopes, type Installation } from '../../domain/identity/installation.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, refuse, type Result } from '../../domain/result.ts';
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

interface NewApp {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** An uninstalled app of the store whose custom data it takes over. */
  readonly entriesOf?: string | undefined;
}

const NOTHING_KEPT = refuse(
  'conflict',
  'entriesOf names no uninstalled app of the store whose entries are kept. Nothing was installed.',
);

export const installApp =
  ({ ids, installations, secrets }: Pick<Ports, 'ids' | 'installations' | 'secrets'>) =>
  async (storeId: string, app: NewApp): Promise<Result<InstalledApp, 'not_found' | 'conflict'>> => {
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
      entriesOf: app.entriesOf,
    });
    if (installation === 'nothing_kept') return NOTHING_KEPT;
    return installation ? ok({ installation, clientId, clientSecret, signingSecret }) : notFound('Store');
  };
