import { randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';

import type { AnySql } from './postgres.ts';
import { verified, type Received } from './receiver.ts';
import { asAdmin, call, type StoreWithApp } from './server.ts';

export interface EventBody {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly storeId: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A subscription of the app's. Its ping is on its way then. */
export const subscribe = async (
  server: { url: string },
  app: Pick<StoreWithApp, 'headers'>,
  url: string,
  ...eventTypes: string[]
): Promise<string> => {
  const answer = await call(
    `${server.url}/apps/webhooks/subscriptions`,
    'POST',
    app.headers,
    JSON.stringify({ url, eventTypes }),
  );
  expect(answer.status, answer.body).toBe(200);
  return (JSON.parse(answer.body) as { id: string }).id;
};

export interface MerchantSubscription {
  readonly id: string;
  readonly signingSecret: string;
}

/** A subscription of the merchant's own. */
export const subscribeMerchant = async (
  server: { adminUrl: string },
  storeId: string,
  url: string,
  ...eventTypes: string[]
): Promise<MerchantSubscription> => {
  const path = `/admin/stores/${storeId}/webhooks/subscriptions`;
  const answer = await asAdmin(server, 'POST', path, { url, eventTypes });
  expect(answer.status, answer.body).toBe(200);
  return JSON.parse(answer.body) as MerchantSubscription;
};

/**
 * An order is paid. A connection that is cut rejects; then nobody knows whether the event is there.
 */
export const pay = async (server: { adminUrl: string }, storeId: string, id: string = randomUUID()): Promise<string> => {
  const body = { type: 'order.paid', data: { id: `order-${id}` }, id };
  const answer = await asAdmin(server, 'POST', `/admin/stores/${storeId}/events`, body);
  expect(answer.status, answer.body).toBe(202);
  return id;
};

/** Pays this many orders, eight at a time. */
export const payMany = async (server: { adminUrl: string }, storeId: string, count: number): Promise<string[]> => {
  const ids = Array.from({ length: count }, () => randomUUID());
  const left = ids.values();
  const till = async (): Promise<void> => {
    for (const id of left) await pay(server, storeId, id);
  };
  await Promise.all(Array.from({ length: 8 }, till));
  return ids;
};

export interface Arrivals {
  /**
   * The requests for one subscription, by the id of their event, in the order in which they came;
   * pings aside.
   */
  readonly of: (subscriptionId: string) => ReadonlyMap<string, readonly Received[]>;
  /** How many requests came more than once. */
  readonly repeats: number;
}

/**
 * Reads the arrivals, verifies every request with the published library, and checks that repeated
 * requests are identical.
 */
export const arrivalsOf = (received: readonly Received[], secretOf: (subscriptionId: string) => string): Arrivals => {
  const bySubscription = new Map<string, Map<string, Received[]>>();
  let repeats = 0;
  for (const request of received) {
    const subscriptionId = request.headers['webhook-subscription-id'] ?? '';
    const { id, type } = verified(request, secretOf(subscriptionId)) as EventBody;
    expect(request.headers['webhook-id']).toBe(id);
    if (type === 'ping') continue;
    const events = bySubscription.get(subscriptionId) ?? new Map<string, Received[]>();
    const same = events.get(id) ?? [];
    bySubscription.set(subscriptionId, events.set(id, [...same, request]));
    if (same[0]) {
      repeats += 1;
      expect(request.body.equals(same[0].body)).toBe(true);
    }
  }
  return { of: (subscriptionId) => bySubscription.get(subscriptionId) ?? new Map<string, Received[]>(), repeats };
};

/** Waits until no event waits for its fan-out and no delivery for its end. */
export const allEnded = async (database: AnySql, timeout = 120_000): Promise<void> => {
  await vi.waitFor(
    async () => {
      const [row] = await database.query<{ n: number }>(
        `SELECT (SELECT count(*) FROM pending_events)::int + (SELECT count(*) FROM delivery_queue)::int AS n`,
      );
      expect(row?.n).toBe(0);
    },
    { timeout, interval: 50 },
  );
};

/** How many deliveries of the subscriptions there are, by status. */
export const statusesOf = async (
  database: AnySql,
  subscriptionIds: readonly string[],
): Promise<Readonly<Record<string, number>>> => {
  const rows = await database.query<{ status: string; n: number }>(
    `SELECT d.status, count(*)::int AS n FROM deliveries d JOIN events e ON e.id = d.event_id AND e.store_id = d.store_id
     WHERE d.subscription_id = ANY($1::uuid[]) AND e.type <> 'ping' GROUP BY d.status`,
    [subscriptionIds],
  );
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
};
