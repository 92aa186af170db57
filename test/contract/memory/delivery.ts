import { createWorkLeases as memoryLeases } from '../../memory/work-lease.ts';
import { attemptsOf, deliveriesOf, subscriptionsOf } from '../../memory/webhooks/delivery-tables.ts';
import { beginEpoch, loseAfter, place } from '../../memory/webhooks/event-feed.ts';
import { eventsOf } from '../../memory/webhooks/event-repository.ts';
import { installationsOf, storesOf } from '../../memory/identity/identity-tables.ts';
import { finder } from '../../memory/insight/finder.ts';
import { invariants as memoryInvariants } from '../../memory/insight/invariants.ts';
import { violateMemory } from './violations.ts';
import { claimKey } from '../../support/claim-key.ts';
import type { DeliveryWorld } from '../delivery-worlds.ts';
import { openMemory } from './open-memory.ts';

export const memoryDeliveryWorld = async (): Promise<DeliveryWorld> => {
  const { clock, ids, state, ports } = openMemory();
  const change = <Row>(rows: Map<string, Row>, id: string, to: Partial<Row>): void => {
    const row = rows.get(id);
    if (row) rows.set(id, { ...row, ...to });
  };
  return {
    ports,
    ids,
    leases: memoryLeases(state),
    pass: async (seconds) => {
      clock.advance(seconds * 1000);
    },
    tend: async () => undefined,
    now: async () => clock.now(),
    setStore: async (id, status) => {
      change(storesOf(state), id, { status });
    },
    setApp: async (id, to) => {
      change(installationsOf(state), id, to);
    },
    removeSubscription: async (id) => {
      subscriptionsOf(state).delete(id);
      for (const row of deliveriesOf(state).values()) {
        if (row.subscriptionId === id) deliveriesOf(state).set(row.id, { ...row, status: 'Dropped', nextAttemptAt: null });
      }
    },
    copyDelivery: async (id, count) => {
      const row = deliveriesOf(state).get(id);
      for (let made = 0; row && made < count; made += 1) {
        const copy = { ...row, id: ids.next(), subscriptionId: ids.next() };
        deliveriesOf(state).set(copy.id, copy);
      }
    },
    copyEvent: async (storeId, id, count) => {
      const event = eventsOf(state).get(`${storeId}/${id}`);
      for (let made = 0; event && made < count; made += 1) {
        const copy = { ...event, id: ids.next() };
        eventsOf(state).set(`${storeId}/${copy.id}`, copy);
        place(state, copy, clock.now());
      }
    },
    beginEpoch: async () => {
      beginEpoch(state);
    },
    loseAfter: async (storeId, head) => {
      loseAfter(state, storeId, head);
    },
    violate: async (name, storeId) => {
      if (name === 'keys_have_runners') {
        const installationId = [...installationsOf(state).values()].find((app) => app.storeId === storeId)?.id ?? '';
        for (const scope of [
          { storeId, installationId, key: 'stuck' },
          { storeId, installationId: null, key: 'stuck' },
        ]) {
          await claimKey(ports, scope, '0'.repeat(64));
          await new Promise<void>((resolve) => {
            void ports.transaction.run(null, async (tx) => {
              await tx.idempotency.lock(scope);
              resolve();
              await new Promise(() => undefined);
            });
          });
        }
      }
      violateMemory(state, name, storeId);
    },
    whileSlow: (work) =>
      work({ invariants: memoryInvariants(state, clock, { isSlow: true }), finder: finder(state, { isSlow: true }) }),
    events: async () => eventsOf(state).size,
    attempts: async () => [...attemptsOf(state).values()].flat().length,
    close: async () => undefined,
  };
};
