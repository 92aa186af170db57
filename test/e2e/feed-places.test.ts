import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { manualClock } from '../memory/clock.ts';
import { sequentialIds } from '../memory/ids.ts';
import { systemClock } from '../../src/adapters/node/clock.ts';
import { deliveryRepository } from '../../src/adapters/prisma/webhooks/queue/delivery-repository.ts';
import { installationRepository } from '../../src/adapters/prisma/identity/installation-repository.ts';
import { StoreDirectory } from '../../src/adapters/prisma/identity/store-directory.ts';
import { placeAt } from '../../src/domain/webhooks/feed-place.ts';
import { eventFeed } from '../../src/adapters/prisma/webhooks/feed/event-feed.ts';
import { eventRepository } from '../../src/adapters/prisma/webhooks/feed/event-repository.ts';
import { compileStatement } from '../../src/adapters/prisma/connection/statement.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';

const WRITERS = 8;
const WRITES = 40;
const RESOURCES = 3;
const ROLLED_BACK = new Error('rolled back on purpose');

let database: TestDatabase;
const storeId = '019a0000-0000-7000-8000-0000000000f1';
const options = { clock: manualClock(), ids: sequentialIds() };
const LOCK = compileStatement({ text: 'SELECT FROM resources WHERE id = $id FOR UPDATE', parameters: { id: 'int4' } });
const SLOW = compileStatement({ text: 'SELECT pg_sleep(0.01)' });

beforeAll(async () => {
  database = await openTestDatabase();
  await database.query(`INSERT INTO stores (id, domain, name, currency) VALUES ($1, 'feed.test', 'S', 'EUR')`, [storeId]);
  await database.query('CREATE TABLE resources (id int PRIMARY KEY)');
  await database.query(`INSERT INTO resources SELECT generate_series(0, ${RESOURCES - 1})`);
});
afterAll(() => database.close());

/** Committed versions of each resource, in the order of the commits: noted while the resource is locked. */
const committed = new Map<number, string[]>();

const write = async (resource: number, n: number): Promise<void> => {
  const last = { storeId, type: 'order.paid', resourceId: String(resource), origin: null, data: {} } as const;
  await database
    .transaction(async (sql) => {
      await sql.execute(LOCK, { id: resource });
      const ids = await eventRepository(sql, options, null).append([last, last]);
      if (n % 7 === 0) await sql.execute(SLOW);
      if (n % 5 === 0) throw ROLLED_BACK;
      // Nobody else writes to this resource before the commit.
      committed.set(resource, [...(committed.get(resource) ?? []), ...ids]);
    })
    .catch((error: unknown) => {
      if (error !== ROLLED_BACK) throw error;
    });
};

it('several writers and fan-outs at once: each committed event has one place, in the order of the commits of its resource', async () => {
  const deliveries = deliveryRepository(database, { clock: systemClock, ids: sequentialIds() });
  const feed = eventFeed(database);
  let isWriting = true;
  let isPlacing = true;
  const fanOuts = Array.from({ length: 3 }, async () => {
    while ((await deliveries.fanOut(storeId, 7)).events > 0 || isWriting);
  });
  const reader = { storeId, installationId: null, types: null, take: 9 };
  const walked: string[] = [];
  const walk = async (): Promise<void> => {
    for (let after = placeAt(0, []); ;) {
      const page = await feed.read({ ...reader, after });
      if (page?.kind !== 'page') throw new Error('no page');
      walked.push(...page.bodies.map((body) => (JSON.parse(body) as { id: string }).id));
      after = page.next;
      if (!isPlacing && !page.more) return;
    }
  };
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let n = 0; n < WRITES; n += 1) await write((writer + n) % RESOURCES, writer + n);
  });
  const walking = walk();
  await Promise.all(writers);
  isWriting = false;
  await Promise.all(fanOuts);
  isPlacing = false;
  await walking;
  expect(walked.toSorted()).toEqual([...committed.values()].flat().toSorted());
  for (const ids of committed.values()) expect(walked.filter((id) => ids.includes(id))).toEqual(ids);
});

it('an app sees the events since its installation, also where the clock of the node that installed it is fast', async () => {
  const id = options.ids.next();
  const secrets = {
    clientSecret: { id: options.ids.next(), hash: 'ab'.repeat(32) },
    signingSecret: { id: options.ids.next(), sealed: 's' },
  };
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
  try {
    await installationRepository(database, new StoreDirectory(database)).create({
      id,
      storeId,
      name: 'App',
      clientId: id,
      scopes: ['read_orders'],
      ...secrets,
    });
  } finally {
    vi.useRealTimers();
  }
  const event = { storeId, type: 'order.created', resourceId: null, origin: null, data: {} } as const;
  const [eventId] = await database.transaction((sql) => eventRepository(sql, options, null).append([event]));
  await deliveryRepository(database, options).fanOut(storeId, 10);
  const page = await eventFeed(database).read({ storeId, installationId: id, types: ['order.created'], after: null, take: 10 });
  expect(page).toMatchObject({ kind: 'page', bodies: [expect.stringContaining(eventId ?? '-')] });
});
