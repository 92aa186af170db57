import { afterAll, beforeAll, expect, it } from 'vitest';

import { createPrismaPorts } from '../../src/adapters/prisma/ports.ts';
import type { Ports } from '../../src/domain/ports/index.ts';
import { NO_OPTIONS, type SubscriptionOptions } from '../../src/domain/webhooks/subscription-options.ts';
import { manualClock } from '../memory/clock.ts';
import { sequentialIds } from '../memory/ids.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';

const CALLS = 20;
/** Equals the size of a turn's batch. */
const BATCH = 50;
/** PostgreSQL plans these for their parameters, and then chooses. */
const TRIALS = 5;
/** In tables of a few rows, any plan costs the same. */
const ROWS = 1_000;

const type = 'product.updated';
const event = { type, origin: null, data: { id: 'r', current: { name: 'b' } } } as const;

const OPTIONS: readonly Partial<SubscriptionOptions>[] = [
  {},
  { filter: { path: 'current.name', op: 'exists' } },
  { fields: ['current.name'] },
  { order: 'resource' },
  { gather: { quietSeconds: 1, maxSeconds: 60 } },
];

let database: TestDatabase;
beforeAll(async () => {
  // A single connection has all of the plans.
  database = await openTestDatabase({ connections: 1 });
});
afterAll(() => database.close());

const ids = sequentialIds();

const openStore = async (ports: Pick<Ports, 'stores' | 'subscriptions'>, options: readonly Partial<SubscriptionOptions>[]) => {
  const storeId = ids.next();
  await ports.stores.create({ id: storeId, domain: `${storeId}.test`, name: 'Store', currency: 'EUR' });
  const subscriptions = options.map((given) => ({ storeId, subscriptionId: ids.next(), given }));
  for (const { subscriptionId: id, given } of subscriptions) {
    const target = { url: 'https://x.test/', description: null, signingSecret: 'own', ...NO_OPTIONS, ...given };
    await ports.subscriptions.create({ id, storeId, installationId: null, eventTypes: [type], ...target });
  }
  return { storeId, subscriptions };
};

it('PostgreSQL plans no statement of a fan-out or of a delivery again at each call.', async () => {
  const ports = createPrismaPorts(database, {
    clock: manualClock(),
    ids,
    idempotencyTtlSeconds: 60,
    longestRequestSeconds: 60,
  });
  const { deliveries } = ports;
  const stores = [await openStore(ports, [{}]), await openStore(ports, OPTIONS)];
  const record = async (storeId: string, resources: readonly string[]): Promise<void> => {
    await ports.transaction.run(null, (tx) =>
      tx.events.append(resources.map((resourceId) => ({ ...event, storeId, resourceId }))),
    );
    await deliveries.fanOut(storeId, resources.length);
  };
  for (const { storeId } of stores)
    await record(
      storeId,
      Array.from({ length: ROWS }, (_, n) => `r${n}`),
    );
  await database.query('ANALYZE');
  for (let call = 0; call < CALLS; call += 1) {
    for (const { storeId, subscriptions } of stores) {
      await record(storeId, [`r${call % 3}`]);
      for (const { subscriptionId } of subscriptions) {
        const attempts = (await deliveries.due({ storeId, subscriptionId }, BATCH, [])).map(({ id, gap, attempts: before }) => ({
          ...{ storeId, deliveryId: id, number: before + 1, gap, startedAt: 0, durationMs: 1, waitedMs: null, status: 200 },
          ...{ address: null, error: null, response: null, signature: null, verdict: { kind: 'delivered' } as const },
        }));
        await deliveries.settle(attempts, []);
        await deliveries.nextDueSeconds({ storeId, subscriptionId });
      }
    }
  }
  const plans = await database.query<{ statement: string; calls: number; again: number }>(
    `SELECT left(regexp_replace(statement, '\\s+', ' ', 'g'), 160) AS statement, (generic_plans + custom_plans)::int AS calls,
       custom_plans::int AS again
     FROM pg_prepared_statements WHERE generic_plans + custom_plans >= ${CALLS}`,
  );
  expect(plans.length).toBeGreaterThan(20);
  expect(plans.filter(({ again }) => again > TRIALS)).toEqual([]);
});
