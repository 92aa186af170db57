import { mayCall } from '../../domain/identity/installation.ts';
import { manifestScopes, pendingScopes, type PlatformApp } from '../../domain/identity/platform-app.ts';
import { ALL_SCOPES, type Scope } from '../../domain/identity/scope.ts';
import { NO_OPEN_STORE } from '../../domain/identity/store.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, refuse, type Result } from '../../domain/result.ts';
import { sealInstallRequest } from './sealed-install-request.ts';

export interface InstallRequestInput {
  readonly clientId: string;
  readonly redirectUrl: string;
  /** Separated by spaces. The required scopes are asked for in any case. */
  readonly scope: string;
  readonly state: string | null;
}

const NO_SUCH_APP = refuse('invalid', 'client_id must be that of an active platform app.');
const OTHER_REDIRECT = refuse('invalid', 'redirect_uri must be equal to a redirect URL of the app.');
const OTHER_SCOPE = refuse('invalid', 'scope must have only scopes that the app asks for, separated by spaces.');

const isScope = (text: string): text is Scope => (ALL_SCOPES as readonly string[]).includes(text);

/** The scopes that are asked for; null for one that the app may not have. */
const askedFor = (app: PlatformApp, text: string): Scope[] | null => {
  const allowed = manifestScopes(app);
  const named = text.split(' ').filter(Boolean);
  if (!named.every((scope) => isScope(scope) && allowed.includes(scope))) return null;
  return allowed.filter((scope) => app.scopes.includes(scope) || named.includes(scope));
};

/**
 * Returns where the merchant of this store decides, with what the app asks for sealed in the address. Nothing of it is trusted:
 * a wrong request is answered, and redirects nowhere.
 */
export const requestInstall =
  (ports: Pick<Ports, 'clock' | 'ids' | 'platformApps' | 'secrets' | 'stores'>, consentUrl: string) =>
  async (
    domain: string,
    { clientId, redirectUrl, scope, state }: InstallRequestInput,
  ): Promise<Result<string, 'not_found' | 'invalid'>> => {
    const [store, app] = await Promise.all([ports.stores.atDomain(domain), ports.platformApps.byClientId(clientId)]);
    if (store?.status !== 'Active') return NO_OPEN_STORE;
    if (app?.status !== 'Active') return NO_SUCH_APP;
    if (!app.redirectUrls.includes(redirectUrl)) return OTHER_REDIRECT;
    const scopes = askedFor(app, scope);
    if (scopes === null) return OTHER_SCOPE;
    const request = sealInstallRequest(ports, { storeId: store.id, appId: app.id, scopes, redirectUrl, state });
    return ok(`${consentUrl}${consentUrl.includes('?') ? '&' : '?'}request=${request}`);
  };

export interface OwnInstallation {
  readonly id: string;
  readonly storeId: string;
  readonly name: string;
  /** True for a store that the app's developer made for trying the app. */
  readonly isSandbox: boolean;
  readonly scopes: readonly Scope[];
  /** Required by the app now, and not granted yet. */
  readonly pendingScopes: readonly Scope[];
  /** Optional, and not granted. */
  readonly optionalScopes: readonly Scope[];
  /** Page to ask for both, on the store's domain. Null for an app of one store. */
  readonly installPath: string | null;
}

/** Returns the app's scopes on this store, and the scopes that it still has to ask for. */
export const getOwnInstallation =
  ({ installations, platformApps, stores }: Pick<Ports, 'installations' | 'platformApps' | 'stores'>) =>
  async ({ storeId, installationId }: Caller): Promise<Result<OwnInstallation, 'not_found'>> => {
    const installation = await installations.get(storeId, installationId);
    if (!installation || !mayCall(installation.status)) return notFound('Installation');
    const { id, name, scopes, platformAppId } = installation;
    const [app, store] = await Promise.all([
      platformAppId === null ? null : platformApps.get(platformAppId),
      stores.get(storeId),
    ]);
    const own = { id, storeId, name, isSandbox: store !== null && store.sandboxAppId !== null, scopes };
    if (app === null) return ok({ ...own, pendingScopes: [], optionalScopes: [], installPath: null });
    const asked = {
      pendingScopes: pendingScopes(app, scopes),
      optionalScopes: pendingScopes({ scopes: app.optionalScopes }, scopes),
    };
    const query = new URLSearchParams({
      client_id: app.clientId,
      scope: [...asked.pendingScopes, ...asked.optionalScopes].join(' '),
    });
    return ok({ ...own, ...asked, installPath: `/apps/install?${query.toString()}` });
  };
