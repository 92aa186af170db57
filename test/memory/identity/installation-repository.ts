import type { Installation } from '../../../src/domain/identity/installation.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import type {
  InstallationRemoval,
  InstallationRepository,
  Rotated,
} from '../../../src/domain/ports/identity/installation-repository.ts';
import { commonScopes } from '../../../src/domain/identity/scope.ts';
import { typesLost } from '../../../src/domain/webhooks/subscription.ts';
import { dropQueued } from '../webhooks/delivery-ending.ts';
import { stopWork } from '../work-lease.ts';
import { subscriptionsOf } from '../webhooks/delivery-tables.ts';
import type { TransactionLocks } from '../locks.ts';
import { hasTextOrId, pageOf } from '../list-page.ts';
import { endAppSessions, installationOf, installationsOf, statusIn, storesOf } from './identity-tables.ts';
import { liveSecrets, purgeSecrets, replaceSecret, secretsOf, shown, type SecretTable } from './secret-tables.ts';
import type { MemoryState } from '../state.ts';
import { revokeTokens } from './token-repository.ts';
import { previewUninstall } from './uninstall-preview.ts';

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();

const ownedBy = (state: MemoryState, id: string): ReadonlySet<string> =>
  new Set([...subscriptionsOf(state)].flatMap(([key, row]) => (row.installationId === id ? [key] : [])));

export const installationRepository = (state: MemoryState, clock: Clock): InstallationRepository => {
  const rotate = (
    name: SecretTable,
    { storeId, id }: { storeId: string; id: string },
    secret: { id: string; kept: string },
    overlapSeconds: number,
  ): Rotated | 'uninstalled' | null => {
    const installation = installationOf(state, storeId, id);
    if (!installation) return null;
    if (installation.status === 'Uninstalled') return 'uninstalled';
    const end = clock.now() + overlapSeconds * 1000;
    replaceSecret(state, name, id, secret, end);
    return { previousExpiresAt: iso(end) };
  };
  return {
    create: async ({ clientSecret, signingSecret, ...given }) => {
      if (!storesOf(state).has(given.storeId)) return null;
      const installation: Installation = {
        ...given,
        platformAppId: null,
        status: 'Installed',
        createdAt: iso(clock.now()),
        updatedAt: null,
        uninstalledAt: null,
        previousClientSecretExpiresAt: null,
        previousSigningSecretExpiresAt: null,
      };
      installationsOf(state).set(given.id, installation);
      const secret = { ownerId: given.id, expiresAt: Infinity };
      secretsOf(state, 'client_secrets').set(clientSecret.id, { ...secret, kept: clientSecret.hash });
      secretsOf(state, 'signing_secrets').set(signingSecret.id, { ...secret, kept: signingSecret.sealed });
      return installation;
    },
    get: async (storeId, id) => {
      const installation = installationOf(state, storeId, id);
      return installation ? shown(state, clock, installation) : null;
    },
    list: async (storeId, page, { q, statuses, ids } = {}) => {
      if (!storesOf(state).has(storeId)) return null;
      const all = [...installationsOf(state).values()]
        .filter((row) => row.storeId === storeId && hasTextOrId(q, [row.name], [row.clientId, row.id]))
        .filter((row) => statuses === undefined || statuses.includes(statusIn(state, row)))
        .filter((row) => ids === undefined || ids.includes(row.id));
      return pageOf(
        all.map((row) => shown(state, clock, row)),
        page,
      );
    },
    update: async (storeId, id, { name, scopes, status }) => {
      const current = installationOf(state, storeId, id);
      if (!current) return null;
      if (current.status === 'Uninstalled') return 'uninstalled';
      // An app of many stores gets more scopes by consent alone.
      const narrowed = current.platformAppId === null ? scopes : scopes && commonScopes(scopes, current.scopes);
      const write = (): Installation => {
        const updated: Installation = {
          ...current,
          name: name ?? current.name,
          scopes: narrowed ?? current.scopes,
          status: status ?? current.status,
          updatedAt: iso(clock.now()),
        };
        installationsOf(state).set(id, updated);
        if (status === 'Suspended') revokeTokens(state, (installation) => installation.id === id);
        return shown(state, clock, updated);
      };
      const lost = typesLost(current.scopes, narrowed ?? current.scopes);
      if (status !== 'Suspended' && lost.length === 0) return write();
      return stopWork(
        state,
        (row) => row.installationId === id,
        () => {
          dropQueued(state, clock, ownedBy(state, id), lost);
          return write();
        },
      );
    },
    rotateClientSecret: async (storeId, id, secret, overlap) => {
      const rotated = rotate('client_secrets', { storeId, id }, { id: secret.id, kept: secret.hash }, overlap);
      const isLive = rotated !== null && rotated !== 'uninstalled';
      if (isLive) endAppSessions(state, (installation) => installation.id === id, clock.now() + overlap * 1_000);
      return rotated;
    },
    rotateSigningSecret: async (storeId, id, secret, overlap) =>
      rotate('signing_secrets', { storeId, id }, { id: secret.id, kept: secret.sealed }, overlap),
    purgeSigningSecrets: async (limit) =>
      purgeSecrets(state, 'signing_secrets', (id) => installationsOf(state).has(id), { now: clock.now(), limit }),
    signingSecrets: async (storeId, id) =>
      installationOf(state, storeId, id) ? liveSecrets(state, 'signing_secrets', id, clock.now()) : [],
    credentials: async (clientId, domain) => {
      const store = [...storesOf(state).values()].find((row) => row.domain === domain);
      const installation = [...installationsOf(state).values()].find(
        (row) =>
          row.storeId === store?.id && row.clientId === clientId && (row.platformAppId === null || row.status !== 'Uninstalled'),
      );
      if (!store || !installation) return null;
      return {
        storeId: store.id,
        installationId: installation.id,
        platformAppId: installation.platformAppId,
        scopes: installation.scopes,
        status: statusIn(state, installation),
        storeStatus: store.status,
        secretHashes: liveSecrets(state, 'client_secrets', installation.platformAppId ?? installation.id, clock.now()),
      };
    },
    previewUninstall: async (storeId, id) => previewUninstall(state, clock, { storeId, id }),
  };
};

const removeOwned = (state: MemoryState, clock: Clock, id: string): void => {
  const owned = ownedBy(state, id);
  dropQueued(state, clock, owned, null);
  for (const key of owned) subscriptionsOf(state).delete(key);
};

export const installationRemoval = (state: MemoryState, clock: Clock, locks: TransactionLocks): InstallationRemoval => ({
  share: async (storeId, id) => {
    await locks.take(`installation ${id}`, 'shared');
    return (installationOf(state, storeId, id)?.status ?? 'Uninstalled') !== 'Uninstalled';
  },
  uninstall: async (storeId, id) => {
    await locks.take(`installation ${id}`);
    const current = installationOf(state, storeId, id);
    if (!current) return null;
    if (current.status === 'Uninstalled') return { installation: current, changed: false };
    return stopWork(
      state,
      (row) => row.installationId === id,
      () => {
        const at = iso(clock.now());
        const installation: Installation = { ...current, status: 'Uninstalled', uninstalledAt: at, updatedAt: at };
        installationsOf(state).set(id, installation);
        revokeTokens(state, (row) => row.id === id);
        removeOwned(state, clock, id);
        return { installation, changed: true };
      },
    );
  },
});
