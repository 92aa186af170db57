import { afterAll, beforeAll, beforeEach } from 'vitest';

import { manualClock } from '../memory/clock.ts';
import { tokensOf } from '../memory/identity/identity-tables.ts';
import { createWorkLeases as memoryLeases } from '../memory/work-lease.ts';
import { sequentialIds } from '../memory/ids.ts';
import { createMemoryPorts } from '../memory/index.ts';
import { createMemoryState, table } from '../memory/state.ts';
import { createWorkLeases } from '../../src/adapters/prisma/work/work-lease.ts';
import { createPrismaPorts } from '../../src/adapters/prisma/index.ts';
import type { WorkLeases } from '../../src/domain/ports/work-lease.ts';
import type { Installation } from '../../src/domain/identity/installation.ts';
import type { Ids } from '../../src/domain/ports/ids.ts';
import type { NewInstallation } from '../../src/domain/ports/identity/installation-repository.ts';
import type { Ports } from '../../src/domain/ports/index.ts';
import type { Store } from '../../src/domain/identity/store.ts';
import { openTestDatabase } from '../support/postgres.ts';
import { claimKey } from '../support/claim-key.ts';

type IdentityPorts = Pick<
  Ports,
  | 'transaction'
  | 'idempotency'
  | 'stores'
  | 'storeErasure'
  | 'mediaFiles'
  | 'installations'
  | 'tokens'
  | 'admission'
  | 'consoleSessions'
  | 'appConsoleSessions'
  | 'subscriptions'
  | 'deliveries'
  | 'deliveryLog'
>;

/**
 * One implementation of the ports of stores, installations and tokens, with what their suites need.
 */
export interface IdentityWorld {
  readonly ports: IdentityPorts;
  readonly ids: Ids;
  /** Of a worker. */
  readonly leases: WorkLeases;
  /** Moves every expiry of a token or a secret nearer, for the clock that checks it. */
  pass(seconds: number): Promise<void>;
  /** Gives the installation a subscription and an idempotency record. */
  aSubscriptionAndAKey(installation: Installation): Promise<void>;
  /** Gives the installation this many valid tokens. */
  tokens(installationId: string, count: number): Promise<void>;
  /** How many of both it has. */
  owned(installationId: string): Promise<number>;
  close(): Promise<void>;
}

const memoryWorld = async (): Promise<IdentityWorld> => {
  const clock = manualClock();
  const ids = sequentialIds();
  const state = createMemoryState();
  const ports = createMemoryPorts({ clock, ids, idempotencyTtlSeconds: 60 }, state);
  return {
    ports,
    ids,
    leases: memoryLeases(state),
    pass: async (seconds) => {
      clock.advance(seconds * 1000);
    },
    aSubscriptionAndAKey: async ({ id, storeId }) => {
      const key = ids.next();
      table(state, 'subscriptions').set(key, { id: key, storeId, installationId: id });
      await claimKey(ports, { installationId: id, key: 'k' }, '00'.repeat(32));
    },
    tokens: async (installationId, count) => {
      const expiresAt = clock.now() + 1_000;
      for (let made = 0; made < count; made += 1) tokensOf(state).set(ids.next(), { installationId, expiresAt });
    },
    owned: async (id) => {
      const subscriptions = [...table<{ installationId: string }>(state, 'subscriptions').values()];
      return (
        subscriptions.filter((row) => row.installationId === id).length + (table(state, 'idempotency').has(`${id} k`) ? 1 : 0)
      );
    },
    close: async () => undefined,
  };
};

const prismaWorld = async (): Promise<IdentityWorld> => {
  const database = await openTestDatabase();
  const ids = sequentialIds();
  const leases = createWorkLeases({ url: database.url });
  const ports = createPrismaPorts(database, {
    clock: manualClock(),
    ids,
    idempotencyTtlSeconds: 60,
    announceStop: leases.announceStop,
  });
  return {
    ports,
    ids,
    leases,
    pass: async (seconds) => {
      for (const name of ['access_tokens', 'client_secrets', 'signing_secrets']) {
        await database.query(`UPDATE ${name} SET expires_at = expires_at - make_interval(secs => $1)`, [seconds]);
      }
      await database.query(
        'UPDATE console_sessions SET created_at = created_at - make_interval(secs => $1), expires_at = expires_at - make_interval(secs => $1)',
        [seconds],
      );
      await database.query(
        'UPDATE app_console_sessions SET ends_at = ends_at - make_interval(secs => $1), expires_at = expires_at - make_interval(secs => $1)',
        [seconds],
      );
      await database.query('UPDATE store_erasures SET at = at - make_interval(secs => $1)', [seconds]);
      await database.query('UPDATE idempotency_records SET finished_at = finished_at - make_interval(secs => $1)', [seconds]);
    },
    aSubscriptionAndAKey: async ({ id, storeId }) => {
      await database.query(
        `INSERT INTO subscriptions (id, store_id, installation_id, url, event_types) VALUES ($1, $2, $3, 'https://x.test', '{order.paid}')`,
        [ids.next(), storeId, id],
      );
      await claimKey(ports, { installationId: id, key: 'k' }, '00'.repeat(32));
    },
    tokens: async (installationId, count) => {
      await database.query(
        `INSERT INTO access_tokens (hash, installation_id, expires_at)
         SELECT sha256(uuid_send(gen_random_uuid())), $1, now() + interval '1 hour' FROM generate_series(1, $2::int)`,
        [installationId, count],
      );
    },
    owned: async (id) => {
      const [row] = await database.query<{ n: number }>(
        `SELECT (SELECT count(*) FROM subscriptions WHERE installation_id = $1)::int
           + (SELECT count(*) FROM idempotency_records WHERE installation_id = $1)::int AS n`,
        [id],
      );
      return row?.n ?? -1;
    },
    close: async () => {
      await leases.close();
      await database.close();
    },
  };
};

export const identityWorlds = { memory: memoryWorld, prisma: prismaWorld };

/** 64 hex digits that stand for the text. */
export const hashOf = (text: string): string => Buffer.from(text.padEnd(32, '.').slice(0, 32)).toString('hex');

/** Whether the token of this hash lets its app in at the domain: `ok`, or the reason why not. */
export const admissionOf = async ({ ports }: IdentityWorld, hash: string, domain: string): Promise<string> => {
  const authentication = await ports.admission.authenticate(hash, domain);
  return authentication.ok ? 'ok' : authentication.reason;
};

/** The same for the console session of this hash. */
export const sessionOf = async ({ ports }: IdentityWorld, hash: string, domain: string): Promise<string> => {
  const authentication = await ports.admission.authenticateSession(hash, domain);
  return authentication.ok ? 'ok' : authentication.reason;
};

export const aStore = async ({ ports, ids }: IdentityWorld, domain = `${ids.next()}.test`): Promise<Store> => {
  const store = await ports.stores.create({ id: ids.next(), domain, name: 'Store', currency: 'EUR' });
  if (store === 'domain_taken') throw new Error(`${domain} is taken`);
  return store;
};

/** An import of one image that has not begun. */
export const anImport = async ({ ids, ports }: IdentityWorld, { id, storeId }: Installation): Promise<void> => {
  const item = { mediaId: ids.next(), sourceUrl: 'https://x.test/a.png', productId: ids.next() };
  const content = { productVariantId: null, altText: null, position: null, aiGenerated: false };
  const items = [{ ...item, ...content }];
  await ports.transaction.run(null, (tx) => tx.mediaImports.create({ id: ids.next(), storeId, installationId: id, items }));
};

/** Its client secret's hash is hashOf(its client id), its sealed signing secret `sealed`. */
export const anInstallation = async (
  world: IdentityWorld,
  storeId: string,
  given: Partial<NewInstallation> = {},
): Promise<Installation> => {
  const { ids, ports } = world;
  const id = ids.next();
  const installation = await ports.installations.create({
    id,
    storeId,
    name: 'App',
    clientId: id,
    scopes: ['read_orders', 'write_products'],
    clientSecret: { id: ids.next(), hash: hashOf(`${id.slice(-12)} first`) },
    signingSecret: { id: ids.next(), sealed: 'sealed' },
    ...given,
  });
  if (!installation) throw new Error('there is no such store');
  return installation;
};

export interface Tenancy {
  readonly world: IdentityWorld;
  readonly store: Store;
  readonly installation: Installation;
}

/**
 * Opens and closes one world for the suite that calls it. `begin` gets a new store with an
 * installation for each test.
 */
export const useTenancy = (open: () => Promise<IdentityWorld>, begin: (tenancy: Tenancy) => void): void => {
  let world: IdentityWorld;
  beforeAll(async () => {
    world = await open();
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    const store = await aStore(world);
    begin({ world, store, installation: await anInstallation(world, store.id) });
  });
};
