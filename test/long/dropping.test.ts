import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { manualClock } from '../memory/clock.ts';
import { sequentialIds } from '../memory/ids.ts';
import { createWorkLeases } from '../../src/adapters/prisma/work/work-lease.ts';
import { openDatabase, type Database } from '../../src/adapters/prisma/connection/database.ts';
import { systemClock } from '../../src/adapters/node/clock.ts';
import { deliveryRepository } from '../../src/adapters/prisma/webhooks/queue/delivery-repository.ts';
import { createPrismaPorts } from '../../src/adapters/prisma/ports.ts';
import type { Lease } from '../../src/domain/ports/work-lease.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { onOwnSession } from '../support/own-session.ts';

type Leases = ReturnType<typeof createWorkLeases>;

const APPS = 100;
const QUEUED = 100;

let database: TestDatabase;
/**
 * Separate from the requests' connections: a request that stops a worker keeps one while the worker
 * needs one to settle.
 */
let workerDatabase: Database;
let api: Leases;
let workers: readonly [Leases, Leases];
let ports: ReturnType<typeof createPrismaPorts>;

interface App {
  readonly installationId: string;
  readonly subscriptionId: string;
}

beforeEach(async () => {
  // Far fewer connections than uninstalls at once: none may wait for a second one.
  database = await openTestDatabase({ connections: 20 });
  workerDatabase = openDatabase({ url: database.url, connections: 5 });
  const open = () => onOwnSession(database.url, (session) => createWorkLeases({ session, sql: workerDatabase }));
  [api, workers] = [open(), [open(), open()]];
  ports = createPrismaPorts(database, {
    clock: manualClock(Date.now()),
    ids: sequentialIds(),
    idempotencyTtlSeconds: 60,
    announceStop: api.announceStop,
  });
});
afterEach(async () => {
  await Promise.all([api, ...workers].map((leases) => leases.close()));
  await workerDatabase.close();
  await database.close();
});

const uuid = (kind: number, n: number): string =>
  `00000000-0000-4000-8${String(kind).padStart(3, '0')}-${String(n).padStart(12, '0')}`;
const storeId = uuid(1, 1);

/** Creates a store with `count` apps, each with a subscription and 100 queued deliveries. */
const theApps = async (count: number): Promise<App[]> => {
  await database.query("INSERT INTO stores (id, domain, name, currency) VALUES ($1, 'drop.test', 'S', 'EUR')", [storeId]);
  const apps = Array.from({ length: count }, (_, n) => ({ installationId: uuid(2, n), subscriptionId: uuid(3, n) }));
  const [installations, subscriptions] = [apps.map((app) => app.installationId), apps.map((app) => app.subscriptionId)];
  await database.query(
    `INSERT INTO installations (id, store_id, name, client_id, scopes) SELECT id, $1, 'A', id::text, '{read_orders}' FROM unnest($2::uuid[]) AS id`,
    [storeId, installations],
  );
  await database.query(
    `INSERT INTO subscriptions (id, store_id, installation_id, url, event_types)
     SELECT s, $1, i, 'https://x.test', '{order.paid}' FROM unnest($2::uuid[], $3::uuid[]) AS u(s, i)`,
    [storeId, subscriptions, installations],
  );
  await database.query(
    `WITH e AS (
       INSERT INTO events (id, store_id, type, body) SELECT gen_random_uuid(), $1, 'order.paid', '{}' FROM generate_series(1, $2) RETURNING id
     ), d AS (
       INSERT INTO deliveries (id, store_id, event_id, subscription_id, installation_id, next_attempt_at, created_at)
       SELECT gen_random_uuid(), $1, e.id, s.id, s.installation_id, now(), now() FROM e, subscriptions s
       RETURNING id, store_id, event_id, subscription_id, next_attempt_at
     )
     INSERT INTO delivery_queue (delivery_id, store_id, event_id, subscription_id, due_at) SELECT * FROM d`,
    [storeId, QUEUED],
  );
  return apps;
};

const leased = async (leases: Leases, { subscriptionId }: App): Promise<Lease> => {
  const lease = await leases.acquire('deliveries', { storeId, id: subscriptionId });
  if (!lease) throw new Error('the lease was not acquired');
  return lease;
};
const uninstall = ({ installationId }: App) =>
  ports.transaction.run(null, (tx) => tx.installations.uninstall(storeId, installationId));
const statuses = () => database.query('SELECT status, count(*)::int AS n FROM deliveries GROUP BY status');
const locks = async (): Promise<number> =>
  (
    await database.query(
      "SELECT FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
    )
  ).length;

/**
 * Acts as a worker: takes the due deliveries, and when it has to stop, records an attempt that has
 * ended and releases its lease.
 */
const work = async (lease: Lease, { subscriptionId }: App): Promise<void> => {
  const deliveries = deliveryRepository(workerDatabase, { clock: systemClock, ids: sequentialIds() });
  const [first] = await deliveries.due({ storeId, subscriptionId }, 4, []);
  if (!first) throw new Error('nothing was due');
  lease.signal.addEventListener('abort', () => {
    const record = {
      storeId,
      deliveryId: first.id,
      number: 1,
      startedAt: Date.now(),
      durationMs: 1,
      waitedMs: null,
      status: 500,
      address: null,
      error: null,
      response: null,
      signature: null,
      gap: null,
    };
    const health = { storeId, subscriptionId, failures: 1, failingForSeconds: 0, probeInSeconds: null, deactivates: false };
    // eslint-disable-next-line @typescript-eslint/no-misused-promises -- `finally` waits for it, which oxlint does not know.
    void deliveries.settle([{ ...record, verdict: { kind: 'retry', inSeconds: 5 } }], [health]).finally(() => lease.release());
  });
};

describe.each([
  ['uninstalls', uninstall],
  [
    'DELETEs',
    ({ installationId, subscriptionId }: App) => ports.subscriptions.delete({ storeId, installationId }, subscriptionId),
  ],
] as const)('%s', (_, drop) => {
  it('100 at the same time, leased by two workers and with 100 queued deliveries each: all are answered, and no queued row or lease remains', async () => {
    const apps = await theApps(APPS);
    const leases = await Promise.all(apps.map((app, n) => leased(workers[n % 2 === 0 ? 0 : 1], app)));
    for (const [n, lease] of leases.entries()) await work(lease, apps[n]!);
    const mayBegin = await Promise.all(
      apps.map(async (app, n) => {
        await drop(app);
        return leases[n]?.mayBegin();
      }),
    );
    expect(mayBegin).toEqual(apps.map(() => false));
    expect(await statuses()).toEqual([{ status: 'Dropped', n: APPS * QUEUED }]);
    // The attempts that ended were recorded while their leaseholder was being stopped.
    expect(await database.query('SELECT FROM delivery_attempts')).toHaveLength(APPS);
    expect(await locks()).toBe(0);
    expect(await workers[0].acquire('deliveries', { storeId, id: apps[0]!.subscriptionId })).toBeNull();
  });
});

it('a worker that never releases its lease is cut off: the uninstallation is answered, and the worker may start nothing under its leases', async () => {
  const [mute, other] = await theApps(2);
  const lease = await leased(workers[0], mute!);
  const beside = await leased(workers[0], other!);
  await uninstall(mute!);
  expect(await lease.mayBegin()).toBe(false);
  expect(await beside.mayBegin()).toBe(false);
  expect(beside.signal.aborted).toBe(true);
  expect(await workers[1].acquire('deliveries', { storeId, id: other!.subscriptionId })).not.toBeNull();
});

it('a suspension and an inactive store do not change deliveries that a worker has claimed', async () => {
  const [app] = await theApps(1);
  for (const stop of [
    () => ports.installations.update(storeId, app!.installationId, { status: 'Suspended' }),
    () => ports.stores.update(storeId, { status: 'Inactive' }),
  ]) {
    const lease = await leased(workers[0], app!);
    expect(await ports.deliveries.due({ storeId, subscriptionId: app!.subscriptionId }, 4, [])).toHaveLength(4);
    lease.signal.addEventListener('abort', () => void lease.release());
    await stop();
    expect(lease.signal.aborted).toBe(true);
    expect(await statuses()).toEqual([{ status: 'Pending', n: QUEUED }]);
    expect(await ports.deliveries.target({ storeId, subscriptionId: app!.subscriptionId })).toMatchObject({ held: true });
  }
});
