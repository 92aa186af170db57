import { afterAll, beforeEach } from 'vitest';

import type { InvariantName } from '../../src/domain/insight/invariants.ts';
import type { NewEvent } from '../../src/domain/webhooks/event.ts';
import type { SubscriptionKey } from '../../src/domain/webhooks/subscription.ts';
import { NO_OPTIONS, type SubscriptionOptions } from '../../src/domain/webhooks/subscription-options.ts';
import type { InstallationStatus } from '../../src/domain/identity/installation.ts';
import type { WorkLeases } from '../../src/domain/ports/work-lease.ts';
import type { Ids } from '../../src/domain/ports/ids.ts';
import type { Ports } from '../../src/domain/ports/index.ts';
import type { AttemptRecord } from '../../src/domain/ports/webhooks/delivery-repository.ts';
import type { Scope } from '../../src/domain/identity/scope.ts';
import type { StoreStatus } from '../../src/domain/identity/store.ts';
import { beforeAll } from './hooks.ts';

type DeliveryPorts = Pick<
  Ports,
  | 'transaction'
  | 'stores'
  | 'installations'
  | 'subscriptions'
  | 'subscriptionChanges'
  | 'deliveries'
  | 'deliveryLog'
  | 'redeliveries'
  | 'eventFeed'
  | 'requestLog'
  | 'figures'
  | 'incidents'
  | 'incidentNotices'
  | 'incidentSignals'
  | 'processes'
  | 'storeErasure'
  | 'invariants'
  | 'repairs'
  | 'finder'
  | 'locator'
  | 'backlog'
  | 'mediaImportLog'
  | 'productImports'
  | 'idempotency'
  | 'mediaImports'
>;

/**
 * An implementation of the ports of deliveries, with the needs of their suites. The last three
 * change a row directly.
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
  /**
   * Maintains the tables as a node does: it looks at the tables that have grown, so that their rows
   * are found by an index.
   */
  tend(): Promise<void>;
  /** The time by which events are recorded, in milliseconds. */
  now(): Promise<number>;
  setStore(id: string, status: StoreStatus): Promise<void>;
  setApp(id: string, to: { status?: InstallationStatus; scopes?: Scope[] }): Promise<void>;
  removeSubscription(id: string): Promise<void>;
  /** Adds this many copies of the delivery, which are newer and to other subscriptions. */
  copyDelivery(id: string, count: number): Promise<void>;
  /** Adds this many copies of the event, which are newer in the feed. */
  copyEvent(storeId: string, id: string, count: number): Promise<void>;
  /** Begins an epoch, as a start of the server does. */
  beginEpoch(): Promise<void>;
  /** Simulates a failover: the store's feed loses everything after this position. */
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

/**
 * A store with an app of all read scopes; `its` is the app's subscription to product.updated, `own`
 * the merchant's.
 */
export interface Shop {
  readonly world: DeliveryWorld;
  readonly ports: DeliveryPorts;
  readonly storeId: string;
  readonly appId: string;
  readonly its: string;
  readonly own: string;
  /** The subscription, in the store. */
  keyOf(subscriptionId: string): SubscriptionKey;
  subscribe(
    installationId: string | null,
    eventTypes: readonly string[],
    options?: Partial<SubscriptionOptions>,
  ): Promise<string>;
  install(scopes: Scope[]): Promise<string>;
  /** Creates another store with an app and subscriptions. */
  another(): Promise<Shop>;
  append(...events: readonly Partial<NewEvent>[]): Promise<readonly string[]>;
  /** Fans out all that waits, in batches, as a node does while its tables grow. */
  fanOutAll(): Promise<void>;
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
  const subscribe: Shop['subscribe'] = async (installationId, eventTypes, options = {}) => {
    const id = ids.next();
    const more = {
      url: 'https://x.test/',
      description: null,
      signingSecret: installationId === null ? 'own' : null,
      ...NO_OPTIONS,
      ...options,
    };
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
    keyOf: (subscriptionId) => ({ storeId, subscriptionId }),
    install,
    subscribe,
    another: () => openShop(world),
    append: (...events) => ports.transaction.run(null, (tx) => tx.events.append(events.map((given) => ({ ...event, ...given })))),
    fanOutAll: async () => {
      while ((await ports.deliveries.fanOut(storeId, 500)).events > 0) await world.tend();
    },
    attempt: (deliveryId, verdict, number = 1) => {
      const seen = {
        status: verdict.kind === 'delivered' ? 200 : 500,
        address: '192.0.2.1',
        error: null,
        response: 'ok',
        signature: 'v1,x',
        gap: null,
      };
      return { storeId, deliveryId, number, startedAt: Date.UTC(2026, 0, 1), durationMs: 7, waitedMs: null, ...seen, verdict };
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
