import { manifestScopes, type PlatformApp } from '../../domain/identity/platform-app.ts';
import {
  BAD_SANDBOX_NAME,
  NO_SANDBOXES,
  sandboxDomain,
  TOO_MANY_ERASED,
  TOO_MANY_SANDBOXES,
} from '../../domain/identity/sandbox.ts';
import type { Store } from '../../domain/identity/store.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, refuse, type Result } from '../../domain/result.ts';
import { domainTaken } from './store-changes.ts';
import { tellAppLife } from './record-app-life.ts';

const CURRENCY = 'EUR';

/** The stores have names below it. Null where there are none. */
type BaseDomain = string | null;

const CHANGED_MEANWHILE = refuse('conflict', 'The app or its sandbox store has changed in the meantime. Repeat the request.');

const domainOf = (name: string, app: PlatformApp, base: BaseDomain): Result<string, 'invalid' | 'conflict'> => {
  if (base === null) return NO_SANDBOXES;
  const domain = sandboxDomain(name, app.id, base);
  return domain === null ? BAD_SANDBOX_NAME : ok(domain);
};

/** The developer of the app grants it all that it may have. */
const install = async (ports: Ports, app: PlatformApp, storeId: string): Promise<boolean> => {
  const { ids, installRequests } = ports;
  const request = { id: ids.next(), storeId, appId: app.id, isKept: false };
  const installed = await installRequests.accept(request, { installationId: ids.next(), scopes: manifestScopes(app) });
  return installed !== null && installed !== 'not_asked';
};

/** False for a store that another request has erased meanwhile, and for an app that may not have its scopes any more. */
const furnish = async (ports: Ports, app: PlatformApp, storeId: string, fill: () => Promise<unknown>): Promise<boolean> => {
  const isKept = async (): Promise<boolean> => (await ports.stores.get(storeId)) !== null;
  try {
    await fill();
    return (await install(ports, app, storeId)) && (await isKept());
  } catch (error) {
    // Failures in a store that is being erased are expected.
    if (await isKept()) throw error;
    return false;
  }
};

/**
 * Makes the sandbox store of the app with this name, with the demo catalogue and the app. One that is there is erased: so the
 * request resets it, and repeats what was interrupted.
 */
export const putSandbox =
  (ports: Ports, base: BaseDomain, fill: (storeId: string, currency: string) => Promise<unknown>) =>
  async (app: PlatformApp, name: string): Promise<Result<Store, 'invalid' | 'conflict'>> => {
    const domain = domainOf(name, app, base);
    if (!domain.ok) return domain;
    const given = { id: ports.ids.next(), domain: domain.value, name, currency: CURRENCY };
    const store = await ports.stores.createSandbox(given, app.id);
    if (store === 'too_many') return TOO_MANY_SANDBOXES;
    if (store === 'too_many_erased') return TOO_MANY_ERASED;
    if (store === 'domain_taken') return domainTaken(domain.value);
    if (!(await furnish(ports, app, store.id, () => fill(store.id, CURRENCY)))) return CHANGED_MEANWHILE;
    await tellAppLife(ports)(app.id);
    return ok(store);
  };

export const deleteSandbox =
  (ports: Ports, base: BaseDomain) =>
  async (app: PlatformApp, name: string): Promise<Result<null, 'invalid' | 'conflict' | 'not_found'>> => {
    const domain = domainOf(name, app, base);
    if (!domain.ok) return domain;
    const { stores } = await ports.stores.sandboxes(app.id);
    const present = stores.find((store) => store.domain === domain.value);
    if (!present) return notFound('Sandbox store');
    await ports.storeErasure.accept(present.id, present.domain);
    return ok(null);
  };
