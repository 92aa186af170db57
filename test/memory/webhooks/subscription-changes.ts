import type { Clock } from '../../../src/domain/ports/clock.ts';
import { MAX_TAKEN_OVER, type SubscriptionChanges } from '../../../src/domain/ports/webhooks/subscription-changes.ts';
import type { WatchedSubscription } from '../../../src/domain/ports/webhooks/subscription-repository.ts';
import { contentAfter, type SubscriptionKey } from '../../../src/domain/webhooks/subscription.ts';
import { isoTime } from '../../../src/domain/time.ts';
import { dropQueued } from './delivery-ending.ts';
import { deliveriesOf, eventOf, isPaused, ofStore, subscriptionsOf, type SubscriptionRow as Row } from './delivery-tables.ts';
import { stateOf, view, watchedOf } from './watched-subscription.ts';
import { stopWork } from '../work-lease.ts';
import type { MemoryState } from '../state.ts';

export const subscriptionChanges = (state: MemoryState, clock: Clock): SubscriptionChanges => {
  const rowOf = ({ storeId, subscriptionId }: SubscriptionKey): Row | undefined =>
    ofStore(subscriptionsOf(state), storeId, subscriptionId);
  const watched = (row: Row): WatchedSubscription => watchedOf(state, row, clock.now());
  const write = (row: Row, changes: Partial<Row>): WatchedSubscription => {
    const changed = { ...row, ...changes, updatedAt: isoTime(clock.now()) };
    subscriptionsOf(state).set(row.id, changed);
    return watched(changed);
  };
  /** The row as it is once nothing is sent to it. */
  const stopped = <T>({ id }: Row, work: (row: Row) => T): Promise<T | null> =>
    stopWork<T | null>(
      state,
      (one) => one.id === id,
      () => {
        const row = subscriptionsOf(state).get(id);
        return row ? work(row) : null;
      },
    );
  return {
    replace: async (subscription, replaced) => {
      const found = ofStore(subscriptionsOf(state), subscription.storeId, replaced);
      if (!found || found.platformAppId !== undefined || found.installationId !== subscription.installationId) return null;
      return stopped(found, (row) => {
        if (!row.isActive) return 'deactivated';
        const queued = [...deliveriesOf(state).values()].filter(
          ({ subscriptionId, nextAttemptAt }) => subscriptionId === replaced && nextAttemptAt !== null,
        );
        if (queued.length > MAX_TAKEN_OVER) return 'waiting';
        const named: readonly string[] = ['ping', ...subscription.eventTypes];
        const unnamed = queued.map((one) => eventOf(state, one).type).filter((type) => !named.includes(type));
        dropQueued(state, clock, new Set([replaced]), unnamed);
        for (const one of queued.filter((each) => named.includes(eventOf(state, each).type)))
          deliveriesOf(state).set(one.id, { ...one, subscriptionId: subscription.id });
        const { createdAt, pausedAt = null } = row;
        const added = { ...subscription, isActive: true, createdAt, updatedAt: null, pausedAt };
        subscriptionsOf(state).delete(replaced);
        subscriptionsOf(state).set(added.id, added);
        return view(added, stateOf(state, added, clock.now()));
      });
    },
    edit: async (subscription, content, fits = () => true) => {
      const found = rowOf(subscription);
      if (!found) return null;
      if (found.installationId !== null || found.platformAppId !== undefined) return 'of_an_app';
      return stopped(found, (row) => {
        const after = contentAfter(row, content);
        if (!fits(after)) return 'unfit';
        return write(row, {
          ...after,
          probeAt: after.url !== row.url && row.probeAt != null ? Math.min(row.probeAt, clock.now()) : (row.probeAt ?? null),
          deactivatedAt: row.isActive ? null : (row.deactivatedAt ?? row.updatedAt),
        });
      });
    },
    pause: async (subscription) => {
      const found = rowOf(subscription);
      if (!found) return null;
      if (found.platformAppId !== undefined) return 'of_a_platform_app';
      return stopped(found, (row) => {
        if (!row.isActive) return 'deactivated';
        return isPaused(row) ? watched(row) : write(row, { pausedAt: clock.now() });
      });
    },
    resume: async (subscription) => {
      const row = rowOf(subscription);
      if (!row) return null;
      if (!isPaused(row)) return watched(row);
      const { failingSince: since = null, pausedAt } = row;
      const failingSince = since === null ? null : since + clock.now() - Math.max(pausedAt ?? 0, since);
      return write(row, { pausedAt: null, failingSince });
    },
    reactivate: async (subscription) => {
      const found = rowOf(subscription);
      if (!found) return null;
      return stopped(found, (row) =>
        row.isActive
          ? watched(row)
          : write(row, { isActive: true, deactivatedAt: null, failures: 0, failingSince: null, probeAt: null }),
      );
    },
  };
};
