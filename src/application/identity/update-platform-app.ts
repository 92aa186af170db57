import { grantedScopes } from '../../domain/identity/installation.ts';
import { manifestScopes, type PlatformApp } from '../../domain/identity/platform-app.ts';
import type { PlatformAppChanges } from '../../domain/ports/identity/platform-app-repository.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, type Result } from '../../domain/result.ts';
import { checkRedirectUrls, judgeEventUrl, type JudgeUrl } from './create-platform-app.ts';
import { tellAppLife, type LifePorts } from './record-app-life.ts';

/** Installations that are narrowed before the next are looked up. */
const BATCH = 100;

type UpdatePorts = LifePorts & Pick<Ports, 'installations' | 'platformApps' | 'subscriptionChanges'>;

/**
 * Takes from some installations what the app does not ask for by now, and returns whether that changed any. Another change of
 * the app may come at any time: what it takes away, it takes itself.
 */
const narrowSome = async (
  { installations, platformApps }: Pick<UpdatePorts, 'installations' | 'platformApps'>,
  id: string,
): Promise<boolean> => {
  const app = await platformApps.get(id);
  if (app === null) return false;
  const scopes = manifestScopes(app);
  let isChanged = false;
  for (const { storeId, id: installationId, scopes: before } of await platformApps.beyondManifest(id, BATCH)) {
    const after = await installations.update(storeId, installationId, { scopes });
    isChanged ||= after === null || after === 'uninstalled' || !before.every((scope) => after.scopes.includes(scope));
  }
  return isChanged;
};

/** The address works again, or so its developer says. One whose deliveries are still being ended stays as it is. */
const reactivate = async ({ platformApps, subscriptionChanges, deliveryQueue }: UpdatePorts, id: string): Promise<void> => {
  const addresses = await platformApps.deactivatedAddresses(id);
  for (const address of addresses) await subscriptionChanges.reactivate(address);
  await deliveryQueue.wake(addresses);
};

/**
 * A suspension needs the one row of the app: each request and each delivery looks at it. Scopes that the app no longer asks for
 * are taken from each installation, which also drops what was queued by them. From the change of the app on, nobody can grant
 * them. A request that is interrupted leaves the remaining installations to its repetition.
 */
export const updatePlatformApp =
  (ports: UpdatePorts, judge: JudgeUrl) =>
  async (id: string, changes: PlatformAppChanges): Promise<Result<PlatformApp, 'not_found' | 'invalid' | 'rate_limited'>> => {
    const { platformApps } = ports;
    const refusal = checkRedirectUrls(changes.redirectUrls ?? []) ?? (await judgeEventUrl(judge, changes.eventUrl ?? null));
    if (refusal) return refusal;
    const [scopes, optionalScopes] = [changes.scopes, changes.optionalScopes].map((given) => given && grantedScopes(given));
    const updated = await platformApps.update(id, { ...changes, scopes, optionalScopes });
    if (updated === null) return notFound('Platform app');
    while (await narrowSome(ports, id));
    if (changes.eventUrl != null) await reactivate(ports, id);
    await tellAppLife(ports)(id);
    return ok(updated);
  };
