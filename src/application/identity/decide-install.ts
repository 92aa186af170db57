import { redirectTo, type AskedInstall } from '../../domain/identity/install-request.ts';
import type { Installation } from '../../domain/identity/installation.ts';
import { manifestScopes, type PlatformApp } from '../../domain/identity/platform-app.ts';
import { SCOPE_WORDS } from '../../domain/identity/scope-words.ts';
import { covers, type Scope } from '../../domain/identity/scope.ts';
import type { Store } from '../../domain/identity/store.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { tellAppLife, type LifePorts } from './record-app-life.ts';
import { notFound, ok, refuse, type Result } from '../../domain/result.ts';
import { isoTime } from '../../domain/time.ts';
import { findInstallRequest } from './sealed-install-request.ts';

/** A scope that the merchant is asked for. */
export interface AskedScope {
  readonly scope: Scope;
  readonly allows: string;
  readonly isRequired: boolean;
  /** True when the app has the scope on this store already. */
  readonly isGranted: boolean;
}

export interface DescribedRequest {
  readonly id: string;
  readonly app: Pick<PlatformApp, 'id' | 'name'>;
  readonly store: Pick<Store, 'id' | 'name' | 'domain'>;
  readonly scopes: readonly AskedScope[];
  readonly redirectUrl: string;
  readonly expiresAt: string;
}

export interface Decided {
  readonly redirectUrl: string;
}

type DecidePorts = LifePorts &
  Pick<Ports, 'clock' | 'ids' | 'installations' | 'installRequests' | 'locator' | 'platformApps' | 'secrets' | 'stores'>;

interface Open {
  /** With those of its scopes that the app may still have. */
  readonly request: AskedInstall;
  readonly app: PlatformApp;
  readonly store: Store;
}

/** Used, expired and unknown requests are the same to the caller. */
const NOT_FOUND = notFound('Install request');
const CHANGED = refuse(
  'conflict',
  'The app is suspended, or no longer returns to the address of this request. The app must ask again.',
);
const ASKS_OTHERWISE = refuse('conflict', 'The app has changed what it asks for since this request. The app must ask again.');
const CHANGED_MEANWHILE = refuse(
  'conflict',
  'The app has changed in the meantime. Nothing was installed. Look at the request again.',
);

const openRequest = async (ports: DecidePorts, text: string): Promise<Result<Open, 'not_found' | 'conflict'>> => {
  const request = await findInstallRequest(ports, text);
  if (request === null) return NOT_FOUND;
  const [app, store] = await Promise.all([ports.platformApps.get(request.appId), ports.stores.get(request.storeId)]);
  if (app === null || store === null) return NOT_FOUND;
  const redirectUrl = app.redirectUrls.find((url) => ports.secrets.sha256(url) === request.redirectHash);
  if (app.status !== 'Active' || redirectUrl === undefined) return CHANGED;
  const allowed = manifestScopes(app);
  return ok({
    request: { ...request, redirectUrl, scopes: request.scopes.filter((scope) => allowed.includes(scope)) },
    app,
    store,
  });
};

export const describeInstallRequest =
  (ports: DecidePorts) =>
  async (text: string): Promise<Result<DescribedRequest, 'not_found' | 'conflict'>> => {
    const open = await openRequest(ports, text);
    if (!open.ok) return open;
    const { request, app, store } = open.value;
    const granted = (await ports.platformApps.onStore(app.id, store.id))?.scopes ?? [];
    return ok({
      id: text,
      app: { id: app.id, name: app.name },
      store: { id: store.id, name: store.name, domain: store.domain },
      scopes: request.scopes.map((scope) => ({
        scope,
        allows: SCOPE_WORDS[scope],
        isRequired: app.scopes.includes(scope),
        isGranted: covers(granted, scope),
      })),
      redirectUrl: request.redirectUrl,
      expiresAt: isoTime(request.expiresAt),
    });
  };

/** The scopes that the merchant grants must be asked for, and have all that the app requires. */
const scopesRefusal = ({ request, app }: Open, scopes: readonly Scope[]) => {
  const more = scopes.find((scope) => !request.scopes.includes(scope));
  if (more !== undefined) return refuse('invalid', `scopes must not have ${more}, which the request does not ask for.`);
  const missing = app.scopes.find((scope) => !scopes.includes(scope));
  if (missing === undefined) return null;
  if (!request.scopes.includes(missing)) return ASKS_OTHERWISE;
  return refuse('invalid', `scopes must have ${missing}, which the app requires.`);
};

/** The merchant grants all that is asked for, or these scopes of it. */
export const acceptInstall =
  (ports: DecidePorts) =>
  async (
    text: string,
    given?: readonly Scope[],
  ): Promise<Result<Decided & { readonly installation: Installation }, 'not_found' | 'conflict' | 'invalid'>> => {
    const open = await openRequest(ports, text);
    if (!open.ok) return open;
    const { request, store } = open.value;
    const scopes = given ?? request.scopes;
    const refusal = scopesRefusal(open.value, scopes);
    if (refusal) return refusal;
    const consent = { installationId: ports.ids.next(), scopes: request.scopes.filter((scope) => scopes.includes(scope)) };
    const installation = await ports.installRequests.accept(request, consent);
    if (installation === null) return NOT_FOUND;
    if (installation === 'not_asked') return CHANGED_MEANWHILE;
    await tellAppLife(ports)(installation.platformAppId);
    const answer = { store: store.domain, installation: installation.id };
    return ok({ installation, redirectUrl: redirectTo(request, answer) });
  };

export const refuseInstall =
  (ports: DecidePorts) =>
  async (text: string): Promise<Result<Decided, 'not_found' | 'conflict'>> => {
    const open = await openRequest(ports, text);
    if (!open.ok) return open;
    const { request, store } = open.value;
    if (!(await ports.installRequests.refuse(request))) return NOT_FOUND;
    return ok({ redirectUrl: redirectTo(request, { store: store.domain, error: 'access_denied' }) });
  };
