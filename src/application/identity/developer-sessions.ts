import type { PlatformApp } from '../../domain/identity/platform-app.ts';
import { parseCredential } from '../../domain/identity/token.ts';
import type { DeveloperSession } from '../../domain/ports/identity/developer-sessions.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, refuse, type Result } from '../../domain/result.ts';
import { APP_CONSOLE_OFF, type AppConsoleLink, type AppConsoleUrl } from './create-app-console-code.ts';
import { newCredential } from './new-credential.ts';

/** A developer of an app, and the credential that opened the session. */
export interface Developer {
  readonly app: PlatformApp;
  readonly openedBy: DeveloperSession['openedBy'];
}

/** Finds the developer whose session this is; null where it has ended, or is that of an installation. */
export const useDeveloperSession =
  ({ developerSessions, platformApps, secrets }: Pick<Ports, 'developerSessions' | 'platformApps' | 'secrets'>) =>
  async (session: string): Promise<Developer | null> => {
    const used = parseCredential('session', session) ? await developerSessions.use(secrets.sha256(session)) : null;
    const app = used && (await platformApps.get(used.appId));
    return used && app ? { app, openedBy: used.openedBy } : null;
  };

const NO_DOMAIN = refuse('conflict', 'The link needs a domain of the platform. Set SANDBOX_DOMAIN.');
const SUSPENDED = refuse('conflict', 'The app is suspended.');

/** Creates a link that signs the developer of a platform app in to the app console, once, on the domain of sandbox stores. */
export const createDeveloperCode =
  (ports: Pick<Ports, 'developerSessions' | 'platformApps' | 'secrets'>, urlOf: AppConsoleUrl, domain: string | null) =>
  async (appId: string): Promise<Result<AppConsoleLink, 'not_found' | 'conflict'>> => {
    const { developerSessions, platformApps, secrets } = ports;
    if ((await platformApps.get(appId)) === null) return notFound('Platform app');
    if (urlOf === null) return APP_CONSOLE_OFF;
    if (domain === null) return NO_DOMAIN;
    const code = newCredential(secrets, 'loginCode');
    const expiresAt = await developerSessions.createCode(appId, secrets.sha256(code));
    return expiresAt === null ? SUSPENDED : ok({ url: `${urlOf(domain)}#code=${code}`, expiresAt });
  };
