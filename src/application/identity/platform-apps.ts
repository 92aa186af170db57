import { checkOverlap, grantedScopes } from '../../domain/identity/installation.ts';
import {
  checkRedirectUrl,
  sortedScopes,
  type Manifest,
  type PlatformApp,
  manifestScopes,
} from '../../domain/identity/platform-app.ts';
import type { PlacedPage } from '../../domain/page.ts';
import type { PlatformAppChanges } from '../../domain/ports/identity/platform-app-repository.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { ok, type Refusal, type Result, notFound, orNotFound } from '../../domain/result.ts';
import type { AppConsoleUrl } from './create-app-console-code.ts';
import { acceptInstall, describeInstallRequest, refuseInstall } from './decide-install.ts';
import { createDeveloperCode, useDeveloperSession } from './developer-sessions.ts';
import { newClientSecret, newCredential, signingSecretFor } from './new-credential.ts';
import { tellAppLife, type LifePorts } from './record-app-life.ts';
import { getOwnInstallation, requestInstall } from './request-install.ts';
import type { RotatedClientSecret, RotatedSigningSecret } from './change-installation.ts';
import { watchInstallations } from './watch-installations.ts';

/**
 * The only place where the secrets can be read: of the client secret only a hash is kept, of the
 * signing secret its sealed form.
 */
interface RegisteredApp {
  readonly app: PlatformApp;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly signingSecret: string;
}

const checkRedirectUrls = (urls: readonly string[]): Refusal<'invalid'> | null => {
  for (const url of urls) {
    const refusal = checkRedirectUrl(url);
    if (refusal) return refusal;
  }
  return null;
};

/** Refuses an address to which no subscription may be sent. */
export type JudgeUrl = (url: string) => Promise<Refusal<'invalid' | 'rate_limited'> | null>;

const judgeEventUrl = async (judge: JudgeUrl, url: string | null): Promise<Refusal<'invalid' | 'rate_limited'> | null> => {
  const refusal = url === null ? null : await judge(url);
  return refusal && { ...refusal, message: refusal.message.replace(/^url\b/, 'eventUrl') };
};

interface NewApp extends Manifest {
  readonly name: string;
  readonly eventUrl: string | null;
}

/** Makes an app that many stores can install. No store has it before its merchant consents. */
export const createPlatformApp =
  ({ ids, platformApps, secrets }: Pick<Ports, 'ids' | 'platformApps' | 'secrets'>, judge: JudgeUrl) =>
  async ({ name, redirectUrls, eventUrl, ...asked }: NewApp): Promise<Result<RegisteredApp, 'invalid' | 'rate_limited'>> => {
    const refusal = checkRedirectUrls(redirectUrls) ?? (await judgeEventUrl(judge, eventUrl));
    if (refusal) return refusal;
    const id = ids.next();
    const clientId = newCredential(secrets, 'clientId');
    const { clientSecret, kept: ofClient } = newClientSecret({ ids, secrets });
    const { signingSecret, kept: ofSigning } = signingSecretFor({ ids, secrets }, id);
    const app = await platformApps.create({
      id,
      name,
      clientId,
      redirectUrls,
      eventUrl,
      ...sortedScopes(asked),
      clientSecret: ofClient,
      signingSecret: ofSigning,
    });
    return ok({ app, clientId, clientSecret, signingSecret });
  };

type RotationPorts = Pick<Ports, 'ids' | 'platformApps' | 'secrets'>;

/** Rotates the client secret for all installations at once. */
const rotatePlatformClientSecret =
  ({ ids, platformApps, secrets }: RotationPorts, defaultOverlapSeconds: number) =>
  async (id: string, overlapSeconds = defaultOverlapSeconds): Promise<Result<RotatedClientSecret, 'not_found' | 'invalid'>> => {
    const refusal = checkOverlap(overlapSeconds);
    if (refusal) return refusal;
    const { clientSecret, kept } = newClientSecret({ ids, secrets });
    const rotated = await platformApps.rotateClientSecret(id, kept, overlapSeconds);
    return rotated ? ok({ clientSecret, ...rotated }) : notFound('Platform app');
  };

const rotatePlatformSigningSecret =
  ({ ids, platformApps, secrets }: RotationPorts, defaultOverlapSeconds: number) =>
  async (id: string, overlapSeconds = defaultOverlapSeconds): Promise<Result<RotatedSigningSecret, 'not_found' | 'invalid'>> => {
    const refusal = checkOverlap(overlapSeconds);
    if (refusal) return refusal;
    const { signingSecret, kept } = signingSecretFor({ ids, secrets }, id);
    const rotated = await platformApps.rotateSigningSecret(id, kept, overlapSeconds);
    return rotated ? ok({ signingSecret, ...rotated }) : notFound('Platform app');
  };

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

export interface PlatformSettings {
  readonly secretOverlapSeconds: number;
  readonly consentUrl: string;
  readonly appConsoleUrl: AppConsoleUrl;
  readonly sandboxDomain: string | null;
}

/** An app that is made once, and its way into a store. */
export const platformApps = (ports: Ports, settings: PlatformSettings, judge: JudgeUrl) => ({
  acceptInstall: acceptInstall(ports),
  createDeveloperCode: createDeveloperCode(ports, settings.appConsoleUrl, settings.sandboxDomain),
  createPlatformApp: createPlatformApp(ports, judge),
  describeInstallRequest: describeInstallRequest(ports),
  getOwnInstallation: getOwnInstallation(ports),
  getPlatformApp: orNotFound('Platform app', ports.platformApps.get),
  listPlatformApps: async (page: PlacedPage) => ok(await ports.platformApps.list(page)),
  listPlatformInstallations: orNotFound('Platform app', ports.platformApps.installations),
  refuseInstall: refuseInstall(ports),
  requestInstall: requestInstall(ports, settings.consentUrl),
  rotatePlatformClientSecret: rotatePlatformClientSecret(ports, settings.secretOverlapSeconds),
  rotatePlatformSigningSecret: rotatePlatformSigningSecret(ports, settings.secretOverlapSeconds),
  updatePlatformApp: updatePlatformApp(ports, judge),
  useDeveloperSession: useDeveloperSession(ports),
  watchInstallations: watchInstallations(ports),
});
