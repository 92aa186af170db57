import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { manualClock } from '../memory/clock.ts';
import { sequentialIds } from '../memory/ids.ts';
import { openDatabase, type Database } from '../../src/adapters/prisma/connection/database.ts';
import { QUEUED_STATUSES, type DeliveryStatus } from '../../src/domain/webhooks/delivery.ts';
import { createPrismaPorts } from '../../src/adapters/prisma/ports.ts';
import { ENDED_AT_ONCE } from '../../src/adapters/prisma/webhooks/queue/ending.ts';
import { earlier } from '../contract/postgresql/move-back.ts';
import { lockWaits } from '../support/lock-waits.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';

const QUEUED = 2_500;
const STORE = '00000000-0000-4000-8001-000000000001';
const APP = '00000000-0000-4000-8002-000000000001';
const SUBSCRIPTION = '00000000-0000-4000-8003-000000000001';
const KEY = { storeId: STORE, subscriptionId: SUBSCRIPTION };

const portsOf = (database: Database) =>
  createPrismaPorts(database, { clock: manualClock(Date.now()), ids: sequentialIds(), idempotencyTtlSeconds: 60 });

let database: TestDatabase;
let otherNode: Database;
let ports: ReturnType<typeof portsOf>;

/** An app with one subscription, and its deliveries of one event type that are due. */
beforeEach(async () => {
  database = await openTestDatabase();
  otherNode = openDatabase({ url: database.url, connections: 2 });
  ports = portsOf(database);
  await database.query("INSERT INTO stores (id, domain, name, currency) VALUES ($1, 'end.test', 'S', 'EUR')", [STORE]);
  await database.query(
    `INSERT INTO installations (id, store_id, name, client_id, scopes) VALUES ($2, $1, 'A', 'a', '{read_orders,read_products}')`,
    [STORE, APP],
  );
  await database.query(
    `INSERT INTO subscriptions (id, store_id, installation_id, url, event_types)
     VALUES ($3, $1, $2, 'https://x.test', '{order.paid,product.updated}')`,
    [STORE, APP, SUBSCRIPTION],
  );
  await database.query(
    `WITH e AS (
       INSERT INTO events (id, store_id, type, body) SELECT gen_random_uuid(), $1, 'order.paid', '{}' FROM generate_series(1, $4::int) RETURNING id
     ), d AS (
       INSERT INTO deliveries (id, store_id, event_id, subscription_id, installation_id, next_attempt_at, created_at)
       SELECT uuid7(now()), $1, e.id, $3, $2, now_ms(), now_ms() FROM e RETURNING id, store_id, event_id, subscription_id, next_attempt_at
     )
     INSERT INTO delivery_queue (delivery_id, store_id, event_id, subscription_id, due_at) SELECT * FROM d`,
    [STORE, APP, SUBSCRIPTION, QUEUED],
  );
});
afterEach(async () => {
  await otherNode.close();
  await database.close();
});

const deactivation = () =>
  ports.deliveries.settle([], [{ ...KEY, failures: 3, failingForSeconds: 1, probeInSeconds: null, deactivates: true }]);
const CAUSES = [
  [
    'the app deletes the subscription',
    'Dropped',
    () => ports.subscriptions.delete({ storeId: STORE, installationId: APP }, SUBSCRIPTION),
  ],
  ['the app is uninstalled', 'Dropped', () => ports.transaction.run(null, (tx) => tx.installations.uninstall(STORE, APP))],
  ['the app loses the scope', 'Dropped', () => ports.installations.update(STORE, APP, { scopes: ['read_products'] })],
  ['the subscription is deactivated', 'Failed', deactivation],
] as const;

/** How many rows are stored with each status. */
const stored = async (): Promise<Record<string, number>> =>
  Object.fromEntries(
    (
      await database.query<{ status: string; n: number }>('SELECT status, count(*)::int AS n FROM deliveries GROUP BY status')
    ).map(({ status, n }) => [status, n]),
  );
/** How many deliveries are listed with one of the statuses. */
const listed = async (statuses: readonly DeliveryStatus[]): Promise<number> => {
  let count = 0;
  for (let after: string | null = null; ;) {
    const page: Awaited<ReturnType<typeof ports.deliveryLog.list>> = await ports.deliveryLog.list(
      STORE,
      { statuses },
      { after, take: 500 },
    );
    count += page?.items.length ?? 0;
    if (page?.next == null) return count;
    after = page.next;
  }
};
const figure = async (status: 'Dropped' | 'Failed'): Promise<unknown> =>
  (await database.query<{ n: number }>(`SELECT sum(${status.toLowerCase()})::int AS n FROM delivery_figures`))[0]?.n;

describe.each(CAUSES)(`when %s with ${String(QUEUED)} queued deliveries`, (_, status, change) => {
  it(`the request ends ${String(ENDED_AT_ONCE)} of them, and all show as ${status} and none is sent`, async () => {
    await change();
    expect(await stored()).toEqual({ [status]: ENDED_AT_ONCE, Pending: QUEUED - ENDED_AT_ONCE });
    expect([await listed([status]), await listed(QUEUED_STATUSES)]).toEqual([QUEUED, 0]);
    expect(await ports.deliveries.due(KEY, 10, [])).toEqual([]);
    expect(await ports.deliveries.nextDueSeconds(KEY)).toBeNull();
    expect(await ports.deliveries.subscriptionsToWake()).toEqual([]);
    // The deactivation leaves an event that waits for its fan-out.
    const isDue = status === 'Failed';
    const figures = await ports.deliveries.figures(10);
    expect([figures.queued, figures.oldestDueSeconds > 0]).toEqual([0, isDue]);
    expect(await ports.backlog.read(STORE, 10)).toMatchObject({ due: { count: 0, oldest: null }, held: [] });
    expect(await ports.installations.previewUninstall(STORE, APP)).toMatchObject({ deliveries: 0 });
    const violated = (
      await Promise.all([
        ports.invariants.check('pending_queued', 5_000, 550),
        ports.invariants.check('queue_pending', 5_000, 550),
      ])
    ).map((checked) => checked?.violated);
    expect(violated).toEqual([0, 0]);
  });

  it('another node ends the rest after a node died within a batch, and each is counted once', async () => {
    await change();
    const [blocked] = await database.query<{ id: string }>("SELECT id FROM deliveries WHERE status = 'Pending' LIMIT 1");
    const holder = await database.pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM deliveries WHERE store_id = $1 AND id = $2 FOR UPDATE', [STORE, blocked?.id]);
    const dying = portsOf(otherNode).deliveries.endQueued(QUEUED);
    const died = expect(dying).rejects.toThrow();
    const waiting = async () => (await lockWaits(database)).filter(({ query }) => query.includes('delivery_endings'));
    await expect.poll(async () => (await waiting()).length).toBe(1);
    await database.query('SELECT pg_terminate_backend($1::int)', [(await waiting())[0]?.pid]);
    await died;
    await holder.query('ROLLBACK');
    holder.release();
    expect(await stored()).toEqual({ [status]: ENDED_AT_ONCE, Pending: QUEUED - ENDED_AT_ONCE });

    while ((await ports.deliveries.endQueued(400)) > 0);
    expect(await stored()).toEqual({ [status]: QUEUED });
    expect(await figure(status)).toBe(QUEUED);
    expect(await database.query('SELECT FROM delivery_queue')).toEqual([]);
    expect(await database.query('SELECT FROM delivery_endings')).toEqual([]);
  });
});

describe('while the rows of a lost scope are ended', () => {
  /** The event that the app may still receive is the last of its queue. */
  const loseScope = async (): Promise<void> => {
    await ports.installations.update(STORE, APP, { scopes: ['read_products'] });
  };
  const append = async (type: 'order.paid' | 'product.updated'): Promise<void> => {
    const event = { storeId: STORE, type, resourceId: null, origin: null, data: {} } as const;
    await ports.transaction.run(null, (tx) => tx.events.append([event]));
    await ports.deliveries.fanOut(STORE, 10);
  };
  const dueTypes = async (): Promise<string[]> => {
    const ids = (await ports.deliveries.due(KEY, 10, [])).map(({ eventId }) => eventId);
    return (await database.query<{ type: string }>('SELECT type FROM events WHERE id = ANY ($1)', [ids])).map(({ type }) => type);
  };

  it('what comes of the other types is sent at once', async () => {
    await loseScope();
    await append('product.updated');
    expect(await dueTypes()).toEqual(['product.updated']);
    expect(await ports.deliveries.nextDueSeconds(KEY)).toBe(0);
    expect(await ports.deliveries.subscriptionsToWake()).toEqual([KEY]);
    expect(await ports.deliveries.queuedSubscriptions({ storeId: STORE })).toEqual([KEY]);
    expect(await ports.deliveries.figures(10)).toMatchObject({ queued: 1 });
    expect(await ports.backlog.read(STORE, 10)).toMatchObject({ due: { count: 1, oldest: { subscriptionId: SUBSCRIPTION } } });
    expect(await ports.installations.previewUninstall(STORE, APP)).toMatchObject({ deliveries: 1 });
  });

  it('what the app may still receive of its queue is sent as soon as the worker has passed it', async () => {
    await append('product.updated');
    await loseScope();
    expect(await dueTypes()).toEqual([]);
    await database.query(
      `UPDATE delivery_queue SET due_at = ${earlier('due_at', '3600')} WHERE event_id IN (SELECT id FROM events WHERE type <> 'order.paid')`,
    );
    await database.query("UPDATE delivery_endings SET reached_due = '-infinity'");
    await ports.deliveries.endQueued(400);
    expect(await database.query('SELECT FROM delivery_endings')).toHaveLength(1);
    expect(await dueTypes()).toEqual(['product.updated']);
  });

  it('what had another attempt planned is not sent, and is not planned again', async () => {
    const [queued] = await database.query<{ id: string }>(
      `UPDATE delivery_queue SET due_at = ${earlier('due_at', '-3600')}
       WHERE delivery_id = (SELECT delivery_id FROM delivery_queue ORDER BY delivery_id DESC LIMIT 1) RETURNING delivery_id AS id`,
    );
    await loseScope();
    // The time of its next attempt comes before the worker does.
    await database.query(
      `UPDATE delivery_queue SET due_at = (SELECT at FROM delivery_endings WHERE store_id = $1)
       WHERE store_id = $1 AND delivery_id = $2`,
      [STORE, queued?.id],
    );
    expect(await dueTypes()).toEqual([]);
    expect(await ports.deliveries.nextDueSeconds(KEY)).toBeNull();
    // A worker that had begun an attempt was paused, and lost its lease.
    const attempt = {
      storeId: STORE,
      deliveryId: queued?.id ?? '',
      number: 1,
      startedAt: Date.now(),
      durationMs: 1,
      status: 500,
      address: null,
      error: null,
      response: null,
      signature: null,
      gap: null,
      verdict: { kind: 'retry', inSeconds: 0 },
      waitedMs: null,
    } as const;
    await ports.deliveries.settle([attempt], []);
    expect(await database.query('SELECT attempts FROM delivery_queue WHERE delivery_id = $1', [queued?.id])).toEqual([
      { attempts: 0 },
    ]);
  });
});

it('what an app receives after it got a scope back is sent, and what it lost stays ended', async () => {
  await ports.installations.update(STORE, APP, { scopes: ['read_products'] });
  await ports.installations.update(STORE, APP, { scopes: ['read_products', 'read_orders'] });
  const [lost] = await database.query<{ id: string }>("SELECT id FROM deliveries WHERE status = 'Pending' LIMIT 1");
  const event = { storeId: STORE, type: 'order.paid', resourceId: null, origin: null, data: {} } as const;
  await ports.transaction.run(null, (tx) => tx.events.append([event]));
  await ports.deliveries.fanOut(STORE, 10);
  await ports.deliveryLog.redeliver(STORE, lost?.id ?? '');
  expect(await listed(QUEUED_STATUSES)).toBe(2);

  while ((await ports.deliveries.endQueued(400)) > 0);
  expect(await stored()).toEqual({ Dropped: QUEUED - 1, Pending: 2 });
  expect(await ports.deliveries.due(KEY, 10, [])).toHaveLength(2);
});
