import { afterAll, beforeAll, beforeEach } from 'vitest';

import { manualClock } from '../memory/clock.ts';
import { createWorkLeases as memoryLeases } from '../memory/work-lease.ts';
import { attemptsOf, deliveriesOf, subscriptionsOf } from '../memory/webhooks/delivery-tables.ts';
import { beginEpoch, loseAfter, place } from '../memory/webhooks/event-feed.ts';
import { eventsOf } from '../memory/webhooks/event-repository.ts';
import { sequentialIds } from '../memory/ids.ts';
import { createMemoryPorts } from '../memory/index.ts';
import { installationsOf, storesOf } from '../memory/identity/identity-tables.ts';
import { createMemoryState } from '../memory/state.ts';
import { BEGIN_RESTORED_EPOCH } from '../../src/adapters/prisma/connection/epochs.ts';
import { compileStatement } from '../../src/adapters/prisma/connection/statement.ts';
import { finder } from '../memory/insight/finder.ts';
import { invariants as memoryInvariants } from '../memory/insight/invariants.ts';
import type { InvariantName } from '../../src/domain/insight/invariants.ts';
import { VIOLATIONS, violateMemory } from './violations.ts';
import { createWorkLeases } from '../../src/adapters/prisma/work/work-lease.ts';
import { createPrismaPorts } from '../../src/adapters/prisma/index.ts';
import type { NewEvent } from '../../src/domain/webhooks/event.ts';
import type { InstallationStatus } from '../../src/domain/identity/installation.ts';
import type { WorkLeases } from '../../src/domain/ports/work-lease.ts';
import type { Ids } from '../../src/domain/ports/ids.ts';
import type { Ports } from '../../src/domain/ports/index.ts';
import type { AttemptRecord } from '../../src/domain/ports/webhooks/delivery-repository.ts';
import type { Scope } from '../../src/domain/identity/scope.ts';
import type { StoreStatus } from '../../src/domain/identity/store.ts';
import { openTestDatabase } from '../support/postgres.ts';
import { claimKey } from '../support/claim-key.ts';

type DeliveryPorts = Pick<
  Ports,
  | 'transaction'
  | 'stores'
  | 'installations'
  | 'subscriptions'
  | 'deliveries'
  | 'deliveryLog'
  | 'redeliveries'
  | 'eventFeed'
  | 'requestLog'
  | 'figures'
  | 'invariants'
  | 'repairs'
  | 'finder'
  | 'backlog'
  | 'mediaImportLog'
  | 'idempotency'
  | 'mediaImports'
>;

/**
 * One implementation of the ports of deliveries, with what their suites need. The last three change
 * a row as it stands.
 */
export interface DeliveryWorld {
  readonly ports: DeliveryPorts;
  readonly ids: Ids;
  readonly leases: WorkLeases;
  /**
   * Lets time pass for everything that is there: by the clock, or by moving times back where the
   * database's clock rules.
   */
  pass(seconds: number): Promise<void>;
  /** The time by which events are recorded, in milliseconds. */
  now(): Promise<number>;
  setStore(id: string, status: StoreStatus): Promise<void>;
  setApp(id: string, to: { status?: InstallationStatus; scopes?: Scope[] }): Promise<void>;
  removeSubscription(id: string): Promise<void>;
  /** Adds this many copies of the delivery, which are newer and to other subscriptions. */
  copyDelivery(id: string, count: number): Promise<void>;
  /** Adds this many copies of the event, which are newer in the feed. */
  copyEvent(storeId: string, id: string, count: number): Promise<void>;
  /** As at a start of the server. */
  beginEpoch(): Promise<void>;
  /** As in a failover: the store's feed has nothing after this position any more. */
  loseAfter(storeId: string, head: number): Promise<void>;
  /** Breaks the invariant for what the store has. */
  violate(name: InvariantName, storeId: string): Promise<void>;
  /** Does the work while no check and no search can end in its time. */
  whileSlow<T>(work: (slow: Pick<Ports, 'invariants' | 'finder'>) => Promise<T>): Promise<T>;
  /** How many events there are. */
  events(): Promise<number>;
  /** How many attempts the log holds, those of deliveries that are gone among them. */
  attempts(): Promise<number>;
  close(): Promise<void>;
}

const memoryWorld = async (): Promise<DeliveryWorld> => {
  const clock = manualClock();
  const ids = sequentialIds();
  const state = createMemoryState();
  const ports = createMemoryPorts({ clock, ids, idempotencyTtlSeconds: 60 }, state);
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
        const scope = { installationId, key: 'stuck' };
        await claimKey(ports, scope, '0'.repeat(64));
        await new Promise<void>((resolve) => {
          void ports.transaction.run(null, async (tx) => {
            await tx.idempotency.lock(scope);
            resolve();
            await new Promise(() => undefined);
          });
        });
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

/** A hundred years. */
const FAR_SECONDS = 36_525 * 86_400;

const BACK: Record<string, readonly string[]> = {
  installations: ['created_at'],
  events: ['created_at'],
  feed: ['placed_at'],
  subscriptions: ['created_at', 'failing_since', 'probe_at'],
  deliveries: ['next_attempt_at', 'created_at', 'updated_at'],
  redeliveries: ['asked_at', 'finished_at'],
  delivery_queue: ['due_at'],
  request_log: ['at'],
  delivery_figures: ['at'],
  refusal_figures: ['at'],
  media_imports: ['created_at', 'ended_at'],
};

const prismaWorld = async (): Promise<DeliveryWorld> => {
  const database = await openTestDatabase();
  const leases = createWorkLeases({ url: database.url });
  const ids = sequentialIds();
  // Here, a transaction that holds a key takes too long at once.
  const options = { idempotencyTtlSeconds: 60, longestRequestSeconds: 0 };
  const ports = createPrismaPorts(database, { clock: manualClock(), ids, ...options });
  /** Holds what a test leaves in progress. */
  const holder = await database.pool.connect();
  return {
    ports,
    ids,
    leases,
    pass: async (seconds) => {
      for (const [name, columns] of Object.entries(BACK)) {
        const move = (by: number) => {
          const set = columns.map((column) => `${column} = ${column} - make_interval(secs => $1)`);
          return database.query(`UPDATE ${name} SET ${set.join(', ')}`, [by]);
        };
        // First far away: a time may be part of a key, and rows must not meet on their way.
        await move(seconds - FAR_SECONDS);
        await move(FAR_SECONDS);
      }
      // A delivery's id tells its time.
      await database.query(
        `WITH moved AS (SELECT id, uuid7(created_at) AS next FROM deliveries WHERE $1::float >= 86400),
           log AS (UPDATE delivery_attempts a SET delivery_id = moved.next FROM moved WHERE a.delivery_id = moved.id),
           queue AS (UPDATE delivery_queue q SET delivery_id = moved.next FROM moved WHERE q.delivery_id = moved.id)
         UPDATE deliveries d SET id = moved.next FROM moved WHERE d.id = moved.id`,
        [seconds],
      );
    },
    now: async () => Number((await database.query<{ now: Date }>('SELECT clock_timestamp() AS now'))[0]?.now),
    setStore: async (id, status) => {
      await database.query('UPDATE stores SET status = $2 WHERE id = $1', [id, status]);
    },
    setApp: async (id, { status, scopes }) => {
      await database.query(
        `UPDATE installations SET status = coalesce($2::text, status), scopes = coalesce($3, scopes),
           uninstalled_at = CASE WHEN $2::text = 'Uninstalled' THEN now() END WHERE id = $1`,
        [id, status ?? null, scopes ?? null],
      );
    },
    removeSubscription: async (id) => {
      await database.query('DELETE FROM subscriptions WHERE id = $1', [id]);
      await database.query(`UPDATE deliveries SET status = 'Dropped', next_attempt_at = NULL WHERE subscription_id = $1`, [id]);
      await database.query('DELETE FROM delivery_queue WHERE subscription_id = $1', [id]);
    },
    copyDelivery: async (id, count) => {
      await database.query(
        `INSERT INTO deliveries (id, store_id, event_id, subscription_id, installation_id, status, attempts, created_at, error)
         SELECT uuid7(created_at + make_interval(secs => 1)), store_id, event_id, gen_random_uuid(), installation_id, status, attempts, created_at, error
         FROM deliveries, generate_series(1, $2::int) WHERE id = $1`,
        [id, count],
      );
    },
    copyEvent: async (storeId, id, count) => {
      await database.query(
        `WITH copied AS (
           INSERT INTO events (id, store_id, type, resource_id, body, created_at)
           SELECT gen_random_uuid(), store_id, type, resource_id, body, created_at
           FROM events, generate_series(1, $3::int) WHERE store_id = $1 AND id = $2 RETURNING id
         ), placed AS (
           INSERT INTO feed (store_id, position, event_id, placed_at)
           SELECT $1, h.head + row_number() OVER (), c.id, now() FROM copied c, feed_heads h WHERE h.store_id = $1
         )
         UPDATE feed_heads SET head = head + $3::int WHERE store_id = $1`,
        [storeId, id, count],
      );
    },
    beginEpoch: async () => {
      await database.execute(BEGIN_RESTORED_EPOCH);
    },
    loseAfter: async (storeId, head) => {
      await database.query('DELETE FROM feed WHERE store_id = $1 AND position > $2', [storeId, head]);
      await database.query('UPDATE feed_heads SET head = $2 WHERE store_id = $1', [storeId, head]);
      await database.query('DELETE FROM feed_epochs WHERE store_id = $1 AND began >= $2', [storeId, head]);
    },
    violate: async (name, storeId) => {
      await database.query(VIOLATIONS[name], [storeId]);
      if (name !== 'keys_have_runners') return;
      await holder.query(
        `BEGIN; SELECT FROM idempotency_records r JOIN installations i ON i.id = r.installation_id WHERE i.store_id = '${storeId}' FOR UPDATE OF r`,
      );
    },
    whileSlow: (work) =>
      database.transaction(async (sql) => {
        await sql.execute(compileStatement({ text: 'LOCK TABLE feed, events IN ACCESS EXCLUSIVE MODE' }));
        return work(ports);
      }),
    events: async () => (await database.query('SELECT FROM events')).length,
    attempts: async () => (await database.query('SELECT FROM delivery_attempts')).length,
    close: async () => {
      await holder.query('ROLLBACK');
      holder.release();
      await leases.close();
      await database.close();
    },
  };
};

export const deliveryWorlds = { memory: memoryWorld, prisma: prismaWorld };

/**
 * One store with an app of all read scopes; `its` is the app's subscription to product.updated,
 * `own` the merchant's.
 */
export interface Shop {
  readonly world: DeliveryWorld;
  readonly ports: DeliveryPorts;
  readonly storeId: string;
  readonly appId: string;
  readonly its: string;
  readonly own: string;
  subscribe(installationId: string | null, eventTypes: readonly string[]): Promise<string>;
  install(scopes: Scope[]): Promise<string>;
  append(...events: readonly Partial<NewEvent>[]): Promise<readonly string[]>;
  /** An attempt at the delivery that ended so. */
  attempt(deliveryId: string, verdict: AttemptRecord['verdict'], number?: number): AttemptRecord;
}

const openShop = async (world: DeliveryWorld): Promise<Shop> => {
  const { ports, ids } = world;
  const storeId = ids.next();
  await ports.stores.create({ id: storeId, domain: `${storeId}.test`, name: 'Store', currency: 'EUR' });
  const install = async (scopes: Scope[]): Promise<string> => {
    const id = ids.next();
    const hash = id.replaceAll('-', '').repeat(2);
    const secrets = { clientSecret: { id: ids.next(), hash }, signingSecret: { id: ids.next(), sealed: 'sealed' } };
    await ports.installations.create({ id, storeId, name: 'App', clientId: id, scopes, ...secrets });
    return id;
  };
  const subscribe = async (installationId: string | null, eventTypes: readonly string[]): Promise<string> => {
    const id = ids.next();
    const more = { url: 'https://x.test/', description: null, signingSecret: installationId === null ? 'own' : null };
    const types = eventTypes as NewEvent['type'][] as never;
    await ports.subscriptions.create({ id, storeId, installationId, eventTypes: types, ...more });
    return id;
  };
  const appId = await install(['write_products', 'read_metaobjects']);
  const event = { storeId, type: 'product.updated', resourceId: 'r', origin: null, data: { id: 'r' } } as const;
  return {
    world,
    ports,
    storeId,
    appId,
    its: await subscribe(appId, ['product.updated']),
    own: await subscribe(null, ['product.updated']),
    install,
    subscribe,
    append: (...events) => ports.transaction.run(null, (tx) => tx.events.append(events.map((given) => ({ ...event, ...given })))),
    attempt: (deliveryId, verdict, number = 1) => {
      const seen = {
        status: verdict.kind === 'delivered' ? 200 : 500,
        address: '192.0.2.1',
        error: null,
        response: 'ok',
        signature: 'v1,x',
      };
      return { deliveryId, number, startedAt: Date.UTC(2026, 0, 1), durationMs: 7, waitedMs: null, ...seen, verdict };
    },
  };
};

/** Opens and closes one world for the suite that calls it, and makes a new shop for each test. */
export const useShop = (open: () => Promise<DeliveryWorld>, begin: (shop: Shop) => void): void => {
  let world: DeliveryWorld;
  beforeAll(async () => {
    world = await open();
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    begin(await openShop(world));
  });
};
