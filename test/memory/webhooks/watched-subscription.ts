import type { WatchedSubscription } from '../../../src/domain/ports/webhooks/subscription-repository.ts';
import { healthOf, isDeliverable, type DeliveryState } from '../../../src/domain/webhooks/deliverability.ts';
import type { Subscription } from '../../../src/domain/webhooks/subscription.ts';
import { isoTime } from '../../../src/domain/time.ts';
import { isPaused, type SubscriptionRow as Row } from './delivery-tables.ts';
import { installationsOf, statusIn, storesOf, type SecretRow } from '../identity/identity-tables.ts';
import { table, type MemoryState } from '../state.ts';

/** Owner of the signing secrets: the merchant's subscription, or the app. */
export const secretOwner = (state: MemoryState, { id, installationId, platformAppId }: Row): string =>
  installationId === null ? (platformAppId ?? id) : (installationsOf(state).get(installationId)?.platformAppId ?? installationId);

const hasSecret = (state: MemoryState, row: Row, now: number): boolean =>
  row.signingSecret !== null ||
  [...table<SecretRow>(state, 'signing_secrets').values()].some(
    ({ ownerId, expiresAt }) => ownerId === secretOwner(state, row) && expiresAt > now,
  );

export const stateOf = (state: MemoryState, row: Row, now: number): DeliveryState => {
  const installation = row.installationId === null ? undefined : installationsOf(state).get(row.installationId);
  return {
    isActive: row.isActive,
    hasSigningSecret: hasSecret(state, row, now),
    eventTypes: row.eventTypes,
    storeStatus: storesOf(state).get(row.storeId)?.status ?? 'Inactive',
    installationStatus: installation ? statusIn(state, installation) : null,
    scopes: installation?.scopes ?? null,
    isPaused: isPaused(row),
    breakerClosed: (row.probeAt ?? null) === null,
  };
};

export const view = (row: Row, now: DeliveryState): Subscription => {
  const {
    id,
    url,
    description,
    eventTypes,
    filter,
    fields,
    order,
    gather,
    include,
    isActive,
    createdAt,
    updatedAt,
    installationId,
  } = row;
  const { hasSigningSecret } = now;
  const content = { url, description, eventTypes, filter, fields, order, gather, include };
  const shown = { id, ...content, isActive, hasSigningSecret, createdAt, updatedAt, installationId };
  return { ...shown, isDeliverable: isDeliverable(now) };
};

const time = (at: number | null | undefined): string | null => (at == null ? null : isoTime(at));

export const watchedOf = (state: MemoryState, row: Row, at: number): WatchedSubscription => {
  const now = stateOf(state, row, at);
  const attempts = {
    failingSince: time(row.failingSince),
    nextProbeAt: time(row.probeAt),
    isProbeDue: row.probeAt != null && row.probeAt <= at,
    pausedAt: time(row.pausedAt),
    deactivatedAt: row.isActive ? null : (row.deactivatedAt ?? row.updatedAt),
  };
  return { ...view(row, now), platformAppId: row.platformAppId ?? null, health: healthOf(now, attempts) };
};
