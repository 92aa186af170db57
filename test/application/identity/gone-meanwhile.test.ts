import { beforeEach, describe, expect, it } from 'vitest';

import { authenticateSession } from '../../../src/application/identity/authenticate.ts';
import { createAppConsoleCode } from '../../../src/application/identity/create-app-console-code.ts';
import { useDeveloperSession } from '../../../src/application/identity/developer-sessions.ts';
import { createPlatformApp } from '../../../src/application/identity/platform-apps.ts';
import { issueTrialToken } from '../../../src/application/identity/issue-trial-token.ts';
import { identityLookups } from '../../../src/application/identity/lookups.ts';
import { newCredential } from '../../../src/application/identity/new-credential.ts';
import { requestInstall } from '../../../src/application/identity/request-install.ts';
import { rotateClientSecret } from '../../../src/application/identity/change-installation.ts';
import { signInApp } from '../../../src/application/identity/sign-in-app.ts';
import { uninstallApp } from '../../../src/application/identity/uninstall-app.ts';
import { NO_OPEN_STORE } from '../../../src/domain/identity/store.ts';
import { notFound, ok, refuse } from '../../../src/domain/result.ts';
import { aroundTransaction } from '../../support/around-transaction.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';
import { uncounted } from '../../support/uncounted.ts';

const STORE = 'store';
const ID = '00000000-0000-7000-8000-00000000000a';
const SECRETS = { clientSecret: { id: 'c', hash: '00' }, signingSecret: { id: 's', sealed: 'sealed' } };
const gone = async (): Promise<null> => null;

let ports: MemoryWorld;
beforeEach(async () => {
  ports = openMemoryPorts();
  await ports.stores.create({ id: STORE, domain: 'shop.test', name: 'Shop', currency: 'EUR' });
  await ports.installations.create({ id: ID, storeId: STORE, name: 'App', clientId: ID, scopes: ['read_products'], ...SECRETS });
});

describe('an installation that is gone since it was located', () => {
  const without = (): MemoryWorld => ({
    ...ports,
    installations: { ...ports.installations, get: gone, previewUninstall: gone, rotateClientSecret: gone },
  });
  it.each<[string, (from: MemoryWorld) => Promise<unknown>]>([
    ['is not shown', (from) => identityLookups(from).getInstallation(ID)],
    ['has no preview of its end', (from) => identityLookups(from).previewUninstall(ID)],
    ['gets no token', (from) => issueTrialToken(from)(ID)],
    ['gets no link to its console', (from) => createAppConsoleCode(from, (domain) => `https://${domain}/`)(ID)],
    ['gets no other secret', (from) => rotateClientSecret(from, 60)(ID)],
  ])('%s', async (_, use) => {
    expect(await use(without())).toEqual(notFound('Installation'));
  });
  it('is not uninstalled', async () => {
    const transaction = aroundTransaction(ports.transaction, (run, work) =>
      run((tx) => work({ ...tx, installations: { ...tx.installations, uninstall: gone } })),
    );
    expect(await uninstallApp({ ...ports, transaction })(null, ID)).toEqual(notFound('Installation'));
  });
});

describe('a link to the console of an app', () => {
  const link = (changed: Partial<MemoryWorld> = {}) =>
    createAppConsoleCode({ ...ports, ...changed }, (domain) => `https://${domain}/`)(ID);
  const refused = refuse('conflict', 'The app is not installed, or its store is inactive.');

  it('is not made when its store is gone since it was located', async () => {
    expect(await link({ stores: { ...ports.stores, get: gone } })).toEqual(notFound('Installation'));
  });
  it('is not made for a suspended app, also where a session would be', async () => {
    await ports.installations.update(STORE, ID, { status: 'Suspended' });
    const createCode = async () => '2026-01-01T00:00:00.000Z';
    expect(await link({ appConsoleSessions: { ...ports.appConsoleSessions, createCode } })).toEqual(refused);
  });
});

it('an uninstall ends the imports of that app alone', async () => {
  const ended: unknown[] = [];
  const transaction = aroundTransaction(ports.transaction, (run, work) =>
    run((tx) =>
      work({
        ...tx,
        mediaImports: { ...tx.mediaImports, endAll: (owner) => (ended.push(owner), tx.mediaImports.endAll(owner)) },
      }),
    ),
  );
  expect(await uninstallApp({ ...ports, transaction })(null, ID)).toEqual(ok(null));
  expect(ended[0]).toEqual({ storeId: STORE, installationId: ID });
});

it('a session looks the idempotency key up, and nothing else', async () => {
  const keys: unknown[] = [];
  const admission: MemoryWorld['admission'] = {
    ...ports.admission,
    authenticateSession: (hash, domain, key) => (keys.push(key), ports.admission.authenticateSession(hash, domain, key)),
  };
  const session = newCredential(ports.secrets, 'session');
  for (const lookAhead of [{ kind: 'key', key: 'one' } as const, { kind: 'product', id: ID } as const, null])
    await authenticateSession({ ...ports, admission })(session, 'shop.test', lookAhead);
  expect(keys).toEqual(['one', null, null]);
});

it('the session of a developer ends with the app', async () => {
  const developerSessions = { ...ports.developerSessions, use: async () => ({ appId: 'none', openedBy: 'secret' }) as never };
  const use = useDeveloperSession({ ...ports, developerSessions });
  expect(await use(newCredential(ports.secrets, 'session'))).toBeNull();
});

it('the developer of an app that is suspended between the check and the start gets no session', async () => {
  const asked = { name: 'App', redirectUrls: ['https://app.test/'], scopes: ['read_products'], optionalScopes: [] } as const;
  const made = await createPlatformApp(ports, async () => null)({ ...asked, eventUrl: null });
  if (!made.ok) return expect.fail(made.message);
  const developerSessions = { ...ports.developerSessions, start: async () => false };
  expect(await signInApp({ ...ports, developerSessions })(made.value, null, uncounted)).toEqual({
    ...refuse('unauthenticated', ''),
    reason: 'suspended',
  });
});

it('a request to install on a domain without a store says that none is open there', async () => {
  const input = { clientId: 'client', redirectUrl: 'https://app.test/', scope: '', state: null };
  expect(await requestInstall(ports, 'https://consent.test/')('other.test', input)).toEqual(NO_OPEN_STORE);
});
