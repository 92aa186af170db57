import type { PlatformApp } from '../../../src/domain/identity/platform-app.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import { isoTime } from '../../../src/domain/time.ts';
import { LIFE_EVENT_TYPES } from '../../../src/domain/webhooks/event.ts';
import type { MemoryState } from '../state.ts';
import { dropQueued } from '../webhooks/delivery-ending.ts';
import { subscriptionsOf, type SubscriptionRow } from '../webhooks/delivery-tables.ts';

/** The subscriptions that are the event address of the app on its stores. */
export const addressesOf = (state: MemoryState, appId: string): SubscriptionRow[] =>
  [...subscriptionsOf(state).values()].filter((row) => row.platformAppId === appId);

export const addEventAddress = (
  state: MemoryState,
  clock: Clock,
  { id: platformAppId, eventUrl }: PlatformApp,
  storeId: string,
) => {
  if (eventUrl === null || addressesOf(state, platformAppId).some((row) => row.storeId === storeId)) return;
  const id = crypto.randomUUID();
  const options = {
    description: null,
    filter: null,
    fields: null,
    order: null,
    gather: null,
    include: null,
    signingSecret: null,
    installationId: null,
  };
  const present = { isActive: true, createdAt: isoTime(clock.now()), updatedAt: null };
  const row = { id, storeId, platformAppId, url: eventUrl, eventTypes: LIFE_EVENT_TYPES, ...options, ...present };
  subscriptionsOf(state).set(id, row);
};

export const moveEventAddresses = (state: MemoryState, clock: Clock, app: PlatformApp, storeIds: readonly string[]): void => {
  for (const row of addressesOf(state, app.id)) {
    if (app.eventUrl !== null) subscriptionsOf(state).set(row.id, { ...row, url: app.eventUrl });
    else {
      dropQueued(state, clock, new Set([row.id]), null);
      subscriptionsOf(state).delete(row.id);
    }
  }
  for (const storeId of storeIds) addEventAddress(state, clock, app, storeId);
};
