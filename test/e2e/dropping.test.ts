import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { manualClock } from '../../src/adapters/memory/clock.ts';
import { sequentialIds } from '../../src/adapters/memory/ids.ts';
import { createWorkFence } from '../../src/adapters/prisma/work/work-fence.ts';
import { openDatabase } from '../../src/adapters/prisma/connection/database.ts';
import type { Database } from '../../src/adapters/prisma/connection/database.ts';
import { deliveryRepository } from '../../src/adapters/prisma/webhooks/delivery-repository.ts';
import { createPrismaPorts } from '../../src/adapters/prisma/index.ts';
import type { WorkHold } from '../../src/domain/ports/work-fence.ts';
import { openTestDatabase } from '../support/postgres.ts';
import type { TestDatabase } from '../support/postgres.ts';

type Fence = ReturnType<typeof createWorkFence>;

const APPS = 100;
const QUEUED = 100;

let database: TestDatabase;
/** The workers' own: whoever stops a holder keeps a connection while the holder needs one to settle. */
let workerDatabase: Database;
let api: Fence;
let workers: readonly [Fence, Fence];
let ports: ReturnType<typeof createPrismaPorts>;

interface App {
  readonly installationId: string;
  readonly subscriptionId: string;
}

beforeEach(async () => {
  // Far fewer connections than uninstalls at once: none may wait for a second one.
  database = await openTestDatabase({ connections: 20 });
  workerDatabase = openDatabase({ url: database.url, connections: 5 });
  const fence = () => createWorkFence({ url: database.url });
  [api, workers] = [fence(), [fence(), fence()]];
  ports = createPrismaPorts(database, {
    clock: manualClock(Date.now()),
    ids: sequentialIds(),
    idempotencyTtlSeconds: 60,
    tellHolders: api.tell,
  });
});
afterEach(async () => {
  await Promise.all([api, ...workers].map((fence) => fence.close()));
  await workerDatabase.close();
  await database.close();
});

const uuid = (kind: number, n: number): string =>
  `00000000-0000-4000-8${String(kind).padStart(3, '0')}-${String(n).padStart(12, '0')}`;
const storeId = uuid(1, 1);

/** One store with so many apps, each with one subscription and 100 queued deliveries. */
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

const held = async (fence: Fence, { subscriptionId }: App): Promise<WorkHold> => {
  const hold = await fence.hold(subscriptionId);
  if (!hold) throw new Error('not held');
  return hold;
};
const uninstall = ({ installationId }: App) => ports.transaction.run((tx) => tx.installations.uninstall(installationId));
const statuses = () => database.query('SELECT status, count(*)::int AS n FROM deliveries GROUP BY status');
const locks = async (): Promise<number> =>
  (
    await database.query(
      "SELECT FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
    )
  ).length;

/** What a worker does: takes what is due, and when it is told to stop records an attempt that has ended, then lets go. */
const work = async (hold: WorkHold, { subscriptionId }: App): Promise<void> => {
  const deliveries = deliveryRepository(workerDatabase);
  const [first] = await deliveries.due(subscriptionId, 4, []);
  if (!first) throw new Error('nothing was due');
  hold.signal.addEventListener('abort', () => {
    const record = {
      deliveryId: first.id,
      number: 1,
      startedAt: Date.now(),
      durationMs: 1,
      status: 500,
      address: null,
      error: null,
      response: null,
    };
    const health = { subscriptionId, failures: 1, failingForSeconds: 0, probeInSeconds: null, deactivates: false };
    void deliveries.settle([{ ...record, verdict: { kind: 'retry', inSeconds: 5 } }], [health]).finally(() => hold.release());
  });
};

describe.each([
  ['uninstalls', uninstall],
  [
    'DELETEs',
    ({ installationId, subscriptionId }: App) => ports.subscriptions.delete({ storeId, installationId }, subscriptionId),
  ],
] as const)('%s', (_, drop) => {
  it('100 at once, each held by one of two workers with 100 queued: all answer, 0 rows are left queued, no hold is left', async () => {
    const apps = await theApps(APPS);
    const holds = await Promise.all(apps.map((app, n) => held(workers[n % 2 === 0 ? 0 : 1], app)));
    for (const [n, hold] of holds.entries()) await work(hold, apps[n]!);
    const mayBegin = await Promise.all(
      apps.map(async (app, n) => {
        await drop(app);
        return holds[n]?.mayBegin();
      }),
    );
    expect(mayBegin).toEqual(apps.map(() => false));
    expect(await statuses()).toEqual([{ status: 'Dropped', n: APPS * QUEUED }]);
    // What ended in flight was recorded while its holder was being stopped.
    expect(await database.query('SELECT FROM delivery_attempts')).toHaveLength(APPS);
    expect(await locks()).toBe(0);
    expect(await workers[0].hold(apps[0]!.subscriptionId)).toBeNull();
  });
});

it('a worker that never lets go is cut off: the uninstall answers, and nothing may begin under any hold of it', async () => {
  const [mute, other] = await theApps(2);
  const hold = await held(workers[0], mute!);
  const beside = await held(workers[0], other!);
  await uninstall(mute!);
  expect(await hold.mayBegin()).toBe(false);
  expect(await beside.mayBegin()).toBe(false);
  expect(beside.signal.aborted).toBe(true);
  expect(await workers[1].hold(other!.subscriptionId)).not.toBeNull();
});

it('a suspension and an inactive store leave what a worker had taken as it was', async () => {
  const [app] = await theApps(1);
  for (const stop of [
    () => ports.installations.update(app!.installationId, { status: 'Suspended' }),
    () => ports.stores.update(storeId, { status: 'Inactive' }),
  ]) {
    const hold = await held(workers[0], app!);
    expect(await ports.deliveries.due(app!.subscriptionId, 4, [])).toHaveLength(4);
    hold.signal.addEventListener('abort', () => void hold.release());
    await stop();
    expect(hold.signal.aborted).toBe(true);
    expect(await statuses()).toEqual([{ status: 'Pending', n: QUEUED }]);
    expect(await ports.deliveries.target(app!.subscriptionId)).toMatchObject({ held: true });
  }
});
