import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';

import { manualClock } from '../memory/clock.ts';
import { sequentialIds } from '../memory/ids.ts';
import { createPrismaPorts } from '../../src/adapters/prisma/ports.ts';
import type { TransactionPorts } from '../../src/domain/ports/index.ts';
import { NO_OPTIONS, type SubscriptionOptions } from '../../src/domain/webhooks/subscription-options.ts';
import { sourceFiles, textOf } from '../architecture/source.ts';
import { claimKey } from '../support/claim-key.ts';
import { lockWaits } from '../support/lock-waits.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { lockOrder, WAITS } from './lock-order.ts';

/** The order of locks is written in src/adapters/prisma/work/catalogue-lock.ts. */
const ids = sequentialIds();
let database: TestDatabase;
let ports: ReturnType<typeof createPrismaPorts>;
let other: pg.Client;
let storeId: string;
beforeAll(async () => {
  database = await openTestDatabase();
  ports = createPrismaPorts(database, { clock: manualClock(), ids, idempotencyTtlSeconds: 60 });
});
afterAll(() => database.close());
beforeEach(async () => {
  storeId = ids.next();
  await ports.stores.create({ id: storeId, domain: `${storeId}.test`, name: 'Store', currency: 'EUR' });
  other = new pg.Client({ connectionString: database.url });
  await other.connect();
  await other.query('BEGIN');
});
afterEach(() => other.end());

const areWaiting = async (count: number): Promise<boolean> => (await lockWaits(database)).length >= count;

/** Runs the work until it waits for what `other` has locked, then `look`, and then to its end. */
const whileWaiting = async (work: () => Promise<unknown>, look: () => Promise<unknown>): Promise<void> => {
  const done = work();
  await vi.waitUntil(() => areWaiting(1), { timeout: 60_000 });
  await look();
  await other.query('COMMIT');
  await done;
};

it('who changes the row of a store has its catalogue first, as a write of products has', async () => {
  const order = await lockOrder(
    ports.transaction,
    ({ products }) => products.lockCatalogue(storeId),
    () => ports.stores.update(storeId, { domain: `moved-${storeId}.test` }),
  );
  expect(order).toEqual(WAITS);
});

it('an uninstall that waits for the row of the store has locked no token yet', async () => {
  const id = ids.next();
  await database.query(
    "INSERT INTO installations (id, store_id, name, client_id, scopes, status) VALUES ($1::uuid, $2, 'App', $1::uuid::text, '{}', 'Installed')",
    [id, storeId],
  );
  await database.query(
    "INSERT INTO access_tokens (store_id, hash, installation_id, expires_at) VALUES ($1, sha256('x'), $2, 'infinity')",
    [storeId, id],
  );
  await other.query('SELECT FROM stores WHERE id = $1 FOR UPDATE', [storeId]);
  await whileWaiting(
    () => ports.transaction.run(null, ({ installations }) => installations.uninstall(storeId, id)),
    async () => {
      const free = await other.query('SELECT FROM access_tokens WHERE installation_id = $1 FOR UPDATE NOWAIT', [id]);
      expect(free.rowCount).toBe(1);
    },
  );
});

it('a write that shares its installation waits for the row of the store first, as an erasure has it', async () => {
  const id = ids.next();
  await database.query(
    "INSERT INTO installations (id, store_id, name, client_id, scopes, status) VALUES ($1::uuid, $2, 'App', $1::uuid::text, '{}', 'Installed')",
    [id, storeId],
  );
  await other.query('SELECT FROM stores WHERE id = $1 FOR UPDATE', [storeId]);
  await whileWaiting(
    () => ports.transaction.run(null, ({ installations }) => installations.share(storeId, id)),
    async () => {
      const free = await other.query('SELECT FROM installations WHERE id = $1 FOR UPDATE NOWAIT', [id]);
      expect(free.rowCount).toBe(1);
    },
  );
});

it('an uninstall waits for a request that runs under a key, and a retry of that waits for the uninstall', async () => {
  const id = ids.next();
  await database.query(
    "INSERT INTO installations (id, store_id, name, client_id, scopes, status) VALUES ($1::uuid, $2, 'App', $1::uuid::text, '{}', 'Installed')",
    [id, storeId],
  );
  const scope = { storeId, installationId: id, key: 'k' };
  await claimKey(ports, scope, '00'.repeat(32));
  const uninstall = ({ installations }: TransactionPorts) => installations.uninstall(storeId, id);
  const lock = ({ idempotency }: TransactionPorts) => idempotency.lock(scope);
  expect(await lockOrder(ports.transaction, lock, uninstall)).toEqual(WAITS);
  await database.query("UPDATE installations SET status = 'Installed', uninstalled_at = NULL");
  let retried: unknown;
  const retry = async (tx: TransactionPorts) => {
    retried = await lock(tx);
  };
  expect(await lockOrder(ports.transaction, uninstall, retry)).toEqual(WAITS);
  expect(retried).toBeNull();
});

it('a platform app that gets an event address while its last one is removed has the new one on its stores', async () => {
  const [appId, installationId] = [ids.next(), ids.next()];
  const { platformApps } = ports;
  await platformApps.create({
    ...{ id: appId, name: 'App', clientId: appId, redirectUrls: [], scopes: [], optionalScopes: [], eventUrl: null },
    clientSecret: { id: ids.next(), hash: '00'.repeat(32) },
    signingSecret: { id: ids.next(), sealed: 'sealed' },
  });
  await database.query(
    `INSERT INTO installations (id, store_id, app_id, name, client_id, scopes, status)
     VALUES ($1::uuid, $2, $3, 'App', $1::uuid::text, '{}', 'Installed')`,
    [installationId, storeId, appId],
  );
  await platformApps.update(appId, { eventUrl: 'https://app.test/old' });
  await other.query("SELECT pg_advisory_xact_lock(hashtextextended('fan-out/' || $1, 0))", [storeId]);
  let given: Promise<unknown> = Promise.resolve();
  await whileWaiting(
    () => platformApps.update(appId, { eventUrl: null }),
    async () => {
      given = platformApps.update(appId, { eventUrl: 'https://app.test/new' });
      await Promise.race([given, vi.waitUntil(() => areWaiting(2), { timeout: 60_000 })]);
    },
  );
  await given;
  const addresses = await database.query('SELECT url FROM subscriptions WHERE store_id = $1', [storeId]);
  expect(addresses).toEqual([{ url: 'https://app.test/new' }]);
});

it('a collection locks its products by id, as a bulk update does, and not in its own order', async () => {
  const [low, high] = [ids.next(), ids.next()];
  await database.query(
    `INSERT INTO products (store_id, id, name, kind, status, position, purchase_count, rating_average, rating_count, refundable,
       tags, content_blocks, translations, total_inventory, variant_count, created_at)
     SELECT $1, id, 'P', 'Physical', 'Draft', 0, 0, 0, 0, true, '{}', '[]', '{}', 0, 0, now() FROM unnest($2::uuid[]) AS p(id)`,
    [storeId, [low, high]],
  );
  await other.query('SELECT FROM products WHERE store_id = $1 AND id = $2 FOR UPDATE', [storeId, low]);
  const collection = { id: ids.next(), title: 'C', handle: null, productIds: [high, low] };
  await whileWaiting(
    () => ports.transaction.run(null, ({ collections }) => collections.save(storeId, collection, '2026-01-01T00:00:00.000Z')),
    async () => {
      const free = await other.query('SELECT FROM products WHERE store_id = $1 AND id = $2 FOR UPDATE NOWAIT', [storeId, high]);
      expect(free.rowCount).toBe(1);
    },
  );
  expect(await ports.transaction.run(null, ({ collections }) => collections.get(storeId, collection.id))).toEqual(collection);
});

const GATHER = { quietSeconds: 60, maxSeconds: 300 };
const subscribe = async (options: Partial<SubscriptionOptions>): Promise<string> => {
  const [id, eventTypes] = [ids.next(), ['product.updated'] as const];
  const more = { url: 'https://x.test/', description: null, signingSecret: 'own', ...NO_OPTIONS, ...options };
  await ports.subscriptions.create({ id, storeId, installationId: null, eventTypes, ...more });
  return id;
};
/** Changes of these products, and their fan-out. */
const change = (...productIds: readonly string[]) => {
  const event = { storeId, type: 'product.updated', origin: null } as const;
  return ports.transaction.run(null, ({ events }) =>
    events.append(productIds.map((id) => ({ ...event, resourceId: id, data: { id } }))),
  );
};
const fanOut = () => ports.deliveries.fanOut(storeId, 500);

it('a fan-out that waits for a delivery that gathers has locked no figures, which attempts wait for', async () => {
  const picky = await subscribe({ filter: { path: 'id', op: 'eq', value: 'another' } });
  await subscribe({ gather: GATHER });
  await change('a');
  await fanOut();
  await change('a');
  await other.query('SELECT FROM delivery_queue WHERE store_id = $1 AND is_gathering FOR UPDATE', [storeId]);
  await whileWaiting(fanOut, async () => {
    const figures = 'SELECT FROM delivery_figures WHERE store_id = $1 AND subscription_id = $2 FOR UPDATE NOWAIT';
    expect((await other.query(figures, [storeId, picky])).rowCount).toBe(1);
  });
});

it('a fan-out locks the deliveries that gather in the order of their ids, however many events there are', async () => {
  await subscribe({ gather: GATHER });
  await change('a', 'b');
  await fanOut();
  const [low, high] = await database.query<{ delivery_id: string; resource_id: string }>(
    `SELECT q.delivery_id, e.resource_id FROM delivery_queue q JOIN events e ON e.store_id = q.store_id AND e.id = q.event_id
     WHERE q.store_id = $1 ORDER BY q.delivery_id`,
    [storeId],
  );
  const others = Array.from({ length: 200 }, (_, at) => `other-${String(at)}`);
  await change(high?.resource_id ?? '', ...others, low?.resource_id ?? '');
  const lock = 'SELECT FROM delivery_queue WHERE store_id = $1 AND delivery_id = $2 FOR UPDATE';
  await other.query(lock, [storeId, low?.delivery_id]);
  await whileWaiting(fanOut, async () => {
    expect((await other.query(`${lock} NOWAIT`, [storeId, high?.delivery_id])).rowCount).toBe(1);
  });
});

it('only these files change or lock the rows of stores, so only they need the order', () => {
  const touching = /UPDATE stores|FROM stores[^;`]*? FOR (NO KEY )?(UPDATE|SHARE|KEY SHARE)/;
  const files = sourceFiles('src/adapters/prisma').filter((file) => touching.test(textOf(file)));
  expect(files.map((file) => file.replace('src/adapters/prisma/', '')).sort()).toEqual([
    'catalogue/list-moves.ts',
    // By its id, in a statement that locks nothing else.
    'catalogue/product-import-log.ts',
    'erasure/store-erasure.ts',
    'identity/installation-statements.ts',
    'identity/store-repository.ts',
    // By their ids, in a transaction that locks nothing else.
    'insight/figures.ts',
    'insight/incident-statements.ts',
    'insight/request-log-statements.ts',
    // Before the installations, as an uninstallation does.
    'webhooks/feed/app-life.ts',
  ]);
});
