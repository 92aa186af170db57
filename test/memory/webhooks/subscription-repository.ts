import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { SubscriptionRepository, WatchedSubscription } from '../../../src/domain/ports/webhooks/subscription-repository.ts';
import { healthOf, isDeliverable, type DeliveryState } from '../../../src/domain/webhooks/deliverability.ts';
import { MAX_SUBSCRIPTIONS, type Subscription, type SubscriptionOwner } from '../../../src/domain/webhooks/subscription.ts';
import { isoTime } from '../../../src/domain/time.ts';
import { dropQueued } from './delivery-ending.ts';
import { stopWork } from '../work-lease.ts';
import { subscriptionsOf, type SubscriptionRow as Row } from './delivery-tables.ts';
import { byCreation, installationsOf, storesOf, type SecretRow } from '../identity/identity-tables.ts';
import { hasText, pageOf } from '../list-page.ts';
import { table, type MemoryState } from '../state.ts';

const hasSecret = (state: MemoryState, row: Row, now: number): boolean =>
  row.signingSecret !== null ||
  [...table<SecretRow>(state, 'signing_secrets').values()].some(
    (secret) => secret.installationId === row.installationId && secret.expiresAt > now,
  );

const stateOf = (state: MemoryState, row: Row, now: number): DeliveryState => {
  const installation = row.installationId === null ? undefined : installationsOf(state).get(row.installationId);
  return {
    isActive: row.isActive,
    hasSigningSecret: hasSecret(state, row, now),
    eventTypes: row.eventTypes,
    storeStatus: storesOf(state).get(row.storeId)?.status ?? 'Inactive',
    installationStatus: installation?.status ?? null,
    scopes: installation?.scopes ?? null,
    breakerClosed: (row.probeAt ?? null) === null,
  };
};

const view = (row: Row, now: DeliveryState): Subscription => {
  const { id, url, description, eventTypes, isActive, createdAt, updatedAt, installationId } = row;
  const { hasSigningSecret } = now;
  const shown = { id, url, description, eventTypes, isActive, hasSigningSecret, createdAt, updatedAt, installationId };
  return { ...shown, isDeliverable: isDeliverable(now) };
};

const time = (at: number | null | undefined): string | null => (at == null ? null : isoTime(at));

export const subscriptionRepository = (state: MemoryState, clock: Clock): SubscriptionRepository => {
  const owned = ({ storeId, installationId }: SubscriptionOwner): Row[] =>
    [...subscriptionsOf(state).values()].filter((row) => row.storeId === storeId && row.installationId === installationId);
  const mayOwn = ({ storeId, installationId }: SubscriptionOwner): boolean => {
    if (installationId === null) return storesOf(state).has(storeId);
    const installation = installationsOf(state).get(installationId);
    return installation?.storeId === storeId && installation.status !== 'Uninstalled';
  };
  const watched = (row: Row): WatchedSubscription => {
    const now = stateOf(state, row, clock.now());
    const isProbeDue = row.probeAt != null && row.probeAt <= clock.now();
    const attempts = {
      failingSince: time(row.failingSince),
      nextProbeAt: time(row.probeAt),
      isProbeDue,
      deactivatedAt: row.isActive ? null : row.updatedAt,
    };
    return { ...view(row, now), health: healthOf(now, attempts) };
  };
  return {
    create: async (subscription) => {
      if (!mayOwn(subscription)) return null;
      if (subscription.installationId !== null && owned(subscription).length >= MAX_SUBSCRIPTIONS) return 'full';
      const row = { ...subscription, isActive: true, createdAt: isoTime(clock.now()), updatedAt: null };
      subscriptionsOf(state).set(row.id, row);
      return view(row, stateOf(state, row, clock.now()));
    },
    list: async (owner) => {
      if (!storesOf(state).has(owner.storeId)) return null;
      return owned(owner)
        .sort(byCreation)
        .map((row) => view(row, stateOf(state, row, clock.now())));
    },
    watch: async (storeId, page, { installationId, q } = {}) => {
      if (!storesOf(state).has(storeId)) return null;
      const rows = [...subscriptionsOf(state).values()]
        .filter((row) => row.storeId === storeId && (installationId === undefined || row.installationId === installationId))
        .filter((row) => hasText(q, row.url, row.description, row.id));
      return pageOf(rows.map(watched), page);
    },
    troubled: async (storeId, take) => {
      if (!storesOf(state).has(storeId)) return null;
      const all = [...subscriptionsOf(state).values()].filter((row) => row.storeId === storeId);
      const failing = all.filter(({ isActive, failingSince }) => isActive && failingSince != null);
      const deactivated = all.filter(({ isActive }) => !isActive);
      return {
        failing: failing
          .sort((a, b) => Number(a.failingSince) - Number(b.failingSince))
          .slice(0, take)
          .map(watched),
        deactivated: deactivated
          .sort((a, b) => Date.parse(b.updatedAt ?? '') - Date.parse(a.updatedAt ?? ''))
          .slice(0, take)
          .map(watched),
      };
    },
    delete: async (owner, id) => {
      if (!owned(owner).some((row) => row.id === id)) return false;
      return stopWork(
        state,
        (row) => row.id === id,
        () => {
          dropQueued(state, clock, new Set([id]), null);
          return subscriptionsOf(state).delete(id);
        },
      );
    },
  };
};
