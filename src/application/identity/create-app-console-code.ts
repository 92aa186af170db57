import { mayCall } from '../../domain/identity/installation.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, refuse, type Result } from '../../domain/result.ts';
import { inItsStore } from './in-its-store.ts';
import { newCredential } from './new-credential.ts';

/** The address of the app console on a store's domain; null where APP_CONSOLE is off. */
export type AppConsoleUrl = ((domain: string) => string) | null;

/** `expiresAt` in ISO 8601. */
export interface AppConsoleLink {
  readonly url: string;
  readonly expiresAt: string;
}

export const APP_CONSOLE_OFF = refuse('conflict', 'The app console is off. Set APP_CONSOLE to on.');
const MAY_NOT_CALL = refuse('conflict', 'The app is not installed, or its store is inactive.');

/**
 * Creates a link that signs a developer of the app in to its console, once. The code is in the
 * fragment, which a browser does not send.
 */
export const createAppConsoleCode =
  (ports: Pick<Ports, 'appConsoleSessions' | 'installations' | 'locator' | 'secrets' | 'stores'>, urlOf: AppConsoleUrl) =>
  (installationId: string): Promise<Result<AppConsoleLink, 'not_found' | 'conflict'>> =>
    inItsStore(ports)(installationId, async (storeId) => {
      const { appConsoleSessions, installations, secrets, stores } = ports;
      const [installation, store] = await Promise.all([installations.get(storeId, installationId), stores.get(storeId)]);
      if (!installation || !store) return notFound('Installation');
      if (urlOf === null) return APP_CONSOLE_OFF;
      if (!mayCall(installation.status)) return MAY_NOT_CALL;
      const code = newCredential(secrets, 'loginCode');
      const expiresAt = await appConsoleSessions.createCode(storeId, installationId, secrets.sha256(code));
      return expiresAt === null ? MAY_NOT_CALL : ok({ url: `${urlOf(store.domain)}#code=${code}`, expiresAt });
    });
