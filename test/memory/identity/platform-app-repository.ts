import { sortedScopes, type PlatformApp } from '../../../src/domain/identity/platform-app.ts';
import { covers } from '../../../src/domain/identity/scope.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { PlatformAppRepository } from '../../../src/domain/ports/identity/platform-app-repository.ts';
import { isoTime } from '../../../src/domain/time.ts';
import { pageOf } from '../list-page.ts';
import type { MemoryState } from '../state.ts';
import { addressesOf, moveEventAddresses } from './event-addresses.ts';
import { revokeDeveloperSessions } from './developer-sessions.ts';
import { byCreation, endAppSessions, installationsOf, platformAppsOf, statusIn } from './identity-tables.ts';
import { liveSecrets, previousEnds, purgeSecrets, replaceSecret, type SecretTable } from './secret-tables.ts';
import { revokeTokens } from './token-repository.ts';
import { watchedIn } from './watched-installations.ts';

export const platformAppRepository = (state: MemoryState, clock: Clock): PlatformAppRepository => {
  const shown = (app: PlatformApp): PlatformApp => ({ ...app, ...previousEnds(state, clock, app.id) });
  const installed = (id: string) => [...installationsOf(state).values()].filter((row) => row.platformAppId === id);
  const rotate = (name: SecretTable, id: string, secret: { id: string; kept: string }, overlapSeconds: number) => {
    if (!platformAppsOf(state).has(id)) return null;
    const end = clock.now() + overlapSeconds * 1_000;
    replaceSecret(state, name, id, secret, end);
    if (name === 'client_secrets') endAppSessions(state, (row) => row.platformAppId === id, end);
    return { previousExpiresAt: isoTime(end) };
  };
  return {
    create: async ({ clientSecret, signingSecret, ...given }) => {
      replaceSecret(state, 'client_secrets', given.id, { id: clientSecret.id, kept: clientSecret.hash }, clock.now());
      replaceSecret(state, 'signing_secrets', given.id, { id: signingSecret.id, kept: signingSecret.sealed }, clock.now());
      const app: PlatformApp = {
        ...given,
        status: 'Active',
        createdAt: isoTime(clock.now()),
        updatedAt: null,
        previousClientSecretExpiresAt: null,
        previousSigningSecretExpiresAt: null,
      };
      platformAppsOf(state).set(app.id, app);
      return app;
    },
    get: async (id) => {
      const app = platformAppsOf(state).get(id);
      return app ? shown(app) : null;
    },
    byClientId: async (clientId) => {
      const app = [...platformAppsOf(state).values()].find((row) => row.clientId === clientId);
      return app ? shown(app) : null;
    },
    secrets: async (clientId) => {
      const app = [...platformAppsOf(state).values()].find((row) => row.clientId === clientId);
      return app ? { app: shown(app), secretHashes: liveSecrets(state, 'client_secrets', app.id, clock.now()) } : null;
    },
    list: async (page) => pageOf([...platformAppsOf(state).values()].map(shown), page),
    update: async (id, { name, redirectUrls, scopes, optionalScopes, eventUrl, status }) => {
      const present = platformAppsOf(state).get(id);
      if (!present) return null;
      const updated: PlatformApp = {
        ...present,
        name: name ?? present.name,
        redirectUrls: redirectUrls ?? present.redirectUrls,
        ...sortedScopes({ scopes: scopes ?? present.scopes, optionalScopes: optionalScopes ?? present.optionalScopes }),
        eventUrl: eventUrl === undefined ? present.eventUrl : eventUrl,
        status: status ?? present.status,
        updatedAt: isoTime(clock.now()),
      };
      platformAppsOf(state).set(id, updated);
      if (eventUrl !== undefined) {
        const live = installed(id).filter((row) => row.status !== 'Uninstalled');
        moveEventAddresses(
          state,
          clock,
          updated,
          live.map(({ storeId }) => storeId),
        );
      }
      for (const row of installed(id)) installationsOf(state).set(row.id, { ...row, name: updated.name });
      if (present.status === 'Suspended' && status === 'Active') {
        revokeTokens(state, (row) => row.platformAppId === id);
        revokeDeveloperSessions(state, id);
      }
      return shown(updated);
    },
    rotateClientSecret: async (id, secret, overlapSeconds) =>
      rotate('client_secrets', id, { id: secret.id, kept: secret.hash }, overlapSeconds),
    rotateSigningSecret: async (id, secret, overlapSeconds) =>
      rotate('signing_secrets', id, { id: secret.id, kept: secret.sealed }, overlapSeconds),
    purgeSigningSecrets: async (limit) =>
      purgeSecrets(state, 'signing_secrets', (id) => platformAppsOf(state).has(id), { now: clock.now(), limit }),
    installations: async (id, page) =>
      platformAppsOf(state).has(id)
        ? pageOf(
            installed(id).map((row) => ({ ...row, status: statusIn(state, row) })),
            page,
          )
        : null,
    watch: async (id, page, filter) =>
      pageOf(
        installed(id).flatMap((row) => watchedIn(state, filter, row)),
        page,
      ),
    deactivatedAddresses: async (id) =>
      addressesOf(state, id).flatMap((row) => (row.isActive ? [] : [{ storeId: row.storeId, subscriptionId: row.id }])),
    onStore: async (id, storeId) => {
      const row = installed(id).find((one) => one.storeId === storeId && one.status !== 'Uninstalled');
      return row ? { ...row, status: statusIn(state, row) } : null;
    },
    beyondManifest: async (id, limit) => {
      const app = platformAppsOf(state).get(id);
      const asked = [...(app?.scopes ?? []), ...(app?.optionalScopes ?? [])];
      return installed(id)
        .filter(({ status, scopes }) => status !== 'Uninstalled' && !scopes.every((scope) => covers(asked, scope)))
        .sort(byCreation)
        .slice(0, limit);
    },
  };
};
