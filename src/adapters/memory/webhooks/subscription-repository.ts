import type { Clock } from '../../../domain/ports/clock.ts';
import type { SubscriptionRepository } from '../../../domain/ports/subscription-repository.ts';
import { MAX_SUBSCRIPTIONS, isDeliverable } from '../../../domain/webhooks/subscription.ts';
import type { Subscription, SubscriptionOwner } from '../../../domain/webhooks/subscription.ts';
import { isoTime } from '../../../domain/time.ts';
import { dropQueued } from './delivery-drop.ts';
import { stopWork } from '../work-lease.ts';
import { subscriptionsOf } from './delivery-tables.ts';
import type { SubscriptionRow as Row } from './delivery-tables.ts';
import { byCreation, installationsOf, storesOf } from '../identity/identity-tables.ts';
import type { SecretRow } from '../identity/identity-tables.ts';
import { table } from '../state.ts';
import type { MemoryState } from '../state.ts';

const hasSecret = (state: MemoryState, row: Row, now: number): boolean =>
  row.signingSecret !== null ||
  [...table<SecretRow>(state, 'signing_secrets').values()].some(
    (secret) => secret.installationId === row.installationId && secret.expiresAt > now,
  );

const view = (state: MemoryState, row: Row, now: number): Subscription => {
  const installation = row.installationId === null ? undefined : installationsOf(state).get(row.installationId);
  const { id, url, description, eventTypes, isActive, createdAt, updatedAt, installationId } = row;
  const hasSigningSecret = hasSecret(state, row, now);
  const deliverable = isDeliverable({
    isActive,
    hasSigningSecret,
    eventTypes,
    storeStatus: storesOf(state).get(row.storeId)?.status ?? 'Inactive',
    installationStatus: installation?.status ?? null,
    scopes: installation?.scopes ?? null,
    breakerClosed: (row.probeAt ?? null) === null,
  });
  return {
    id,
    url,
    description,
    eventTypes,
    isActive,
    hasSigningSecret,
    isDeliverable: deliverable,
    createdAt,
    updatedAt,
    installationId,
  };
};

export const subscriptionRepository = (state: MemoryState, clock: Clock): SubscriptionRepository => {
  const owned = ({ storeId, installationId }: SubscriptionOwner): Row[] =>
    [...subscriptionsOf(state).values()].filter((row) => row.storeId === storeId && row.installationId === installationId);
  const mayOwn = ({ storeId, installationId }: SubscriptionOwner): boolean => {
    if (installationId === null) return storesOf(state).has(storeId);
    const installation = installationsOf(state).get(installationId);
    return installation?.storeId === storeId && installation.status !== 'Uninstalled';
  };
  return {
    create: async (subscription) => {
      if (!mayOwn(subscription)) return null;
      if (subscription.installationId !== null && owned(subscription).length >= MAX_SUBSCRIPTIONS) return 'full';
      const row = { ...subscription, isActive: true, createdAt: isoTime(clock.now()), updatedAt: null };
      subscriptionsOf(state).set(row.id, row);
      return view(state, row, clock.now());
    },
    list: async (owner) => {
      if (!storesOf(state).has(owner.storeId)) return null;
      return owned(owner)
        .sort(byCreation)
        .map((row) => view(state, row, clock.now()));
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
