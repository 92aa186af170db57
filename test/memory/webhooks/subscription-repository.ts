import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { SubscriptionRepository, WatchedSubscription } from '../../../src/domain/ports/webhooks/subscription-repository.ts';
import { MAX_SUBSCRIPTIONS, type SubscriptionOwner } from '../../../src/domain/webhooks/subscription.ts';
import { isoTime } from '../../../src/domain/time.ts';
import { dropQueued } from './delivery-ending.ts';
import { stateOf, view, watchedOf } from './watched-subscription.ts';
import { stopWork } from '../work-lease.ts';
import { ofStore, subscriptionsOf, type SubscriptionRow as Row } from './delivery-tables.ts';
import { byCreation, installationsOf, storesOf } from '../identity/identity-tables.ts';
import { hasTextOrId, pageOf } from '../list-page.ts';
import type { MemoryState } from '../state.ts';

export const subscriptionRepository = (state: MemoryState, clock: Clock): SubscriptionRepository => {
  const owned = ({ storeId, installationId }: SubscriptionOwner): Row[] =>
    [...subscriptionsOf(state).values()].filter(
      (row) => row.storeId === storeId && row.installationId === installationId && row.platformAppId === undefined,
    );
  const mayOwn = ({ storeId, installationId }: SubscriptionOwner): boolean => {
    if (installationId === null) return storesOf(state).has(storeId);
    const installation = installationsOf(state).get(installationId);
    return installation?.storeId === storeId && installation.status !== 'Uninstalled';
  };
  const watched = (row: Row): WatchedSubscription => watchedOf(state, row, clock.now());
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
        .filter((row) => hasTextOrId(q, [row.url, row.description], [row.id]));
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
    find: async (storeId, id) => {
      const row = ofStore(subscriptionsOf(state), storeId, id);
      return row ? watched(row) : null;
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
