import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { NODE_NAME } from '../../src/adapters/prisma/connection/generation.ts';
import { parseConfig } from '../../src/adapters/wiring/settings/config.ts';
import { NEVER_EMPTY, withLocalSecrets } from '../../src/adapters/startup/local-secrets.ts';
import { startServer } from '../../src/adapters/wiring/serve/server.ts';
import { NO_RATE_LIMITS } from '../support/no-rate-limits.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import {
  aStoreWithApp,
  asAdmin,
  bulk,
  call,
  SETTINGS,
  startProcess,
  type ServerProcess,
  type StoreWithApp,
} from '../support/server.ts';

/** On a busy machine a statement waits for a lock longer than the default allows. */
const PATIENT = { DATABASE_STATEMENT_TIMEOUT_MS: '0' };

const REQUESTS = 500;
const AT_ONCE = 32;
const PRODUCTS = 200;
const IN_ONE = 20;
const POOL = 30;

/** mulberry32: the same draws in every run. */
const draws = (seed: number): ((below: number) => number) => {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
};

interface Change {
  readonly id: string;
  /** Never the same twice: it tells which change a product's state comes from. */
  readonly name: string;
  readonly slug?: string;
  readonly status?: string;
}

const requestsOf = (ids: readonly string[]): Change[][] => {
  const draw = draws(20_261_121);
  return Array.from({ length: REQUESTS }, (_, n) => {
    const drawn = new Set<string>();
    while (drawn.size < IN_ONE) drawn.add(ids[draw(ids.length)] ?? '');
    return [...drawn].map((id, k) => ({
      id,
      name: `request ${String(n)} change ${String(k)}`,
      ...(draw(10) === 0 && { slug: `pool-${String(draw(POOL))}` }),
      ...(draw(5) === 0 && { status: ['Draft', 'Active', 'Archived'][draw(3)] ?? '' }),
    }));
  });
};

interface Report {
  readonly requested: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly slugsChanged: number;
  readonly results: readonly { id: string; status: string; errorCode: string | null }[];
}

interface EventData {
  readonly id: string;
  readonly changedFields: readonly string[];
  readonly previous: Readonly<Record<string, unknown>>;
  readonly current: Readonly<Record<string, unknown>>;
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly status: string;
}

const figureOf = async (database: TestDatabase, name: 'deadlocks' | 'xact_commit'): Promise<number | undefined> => {
  const read = `SELECT ${name}::int AS figure FROM pg_stat_database WHERE datname = current_database()`;
  return (await database.query<{ figure: number }>(read))[0]?.figure;
};
const commitsOf = (database: TestDatabase) => figureOf(database, 'xact_commit');
const deadlocksOf = (database: TestDatabase) => figureOf(database, 'deadlocks');

describe('500 bulk requests of 20 random products out of 200, 32 at a time over two processes, with changes of slugs', () => {
  let database: TestDatabase;
  let servers: ServerProcess[] = [];
  let app: StoreWithApp;
  let requests: Change[][] = [];
  const reports: Report[] = [];
  const statuses: number[] = [];
  let events: EventData[] = [];
  let before: Row[] = [];
  let after: Row[] = [];
  const rows = () =>
    database.query<Row>('SELECT id, name, slug, status FROM products WHERE store_id = $1 ORDER BY id', [app.storeId]);

  beforeAll(async () => {
    database = await openTestDatabase();
    const [first, second] = await Promise.all([
      startProcess({ databaseUrl: database.url, env: PATIENT }),
      startProcess({ databaseUrl: database.url, env: PATIENT }),
    ]);
    servers = [first, second];
    app = await aStoreWithApp(first, { products: PRODUCTS });
    before = await rows();
    requests = requestsOf(app.productIds);
    let next = 0;
    const worker = async (w: number): Promise<void> => {
      const server = w % 2 === 0 ? first : second;
      for (let n = next++; n < REQUESTS; n = next++) {
        const answer = await bulk(server, app, `overlap-${String(n)}`, requests[n] ?? []);
        statuses.push(answer.status);
        if (answer.status === 200) reports[n] = JSON.parse(answer.body) as Report;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, (_, w) => worker(w)));
    after = await rows();
    const bodies = await database.query<{ data: EventData }>(
      "SELECT body::json -> 'data' AS data FROM events WHERE store_id = $1 AND type = 'product.updated' ORDER BY created_at, id",
      [app.storeId],
    );
    events = bodies.map(({ data }) => data);
  });

  afterAll(async () => {
    await Promise.all(servers.map((server) => server.end()));
    await database.close();
  });

  it('every answer is 200, and products fail only for slugs that are taken', () => {
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(reports).toHaveLength(REQUESTS);
    const codes = new Set(reports.flatMap(({ results }) => results.map(({ errorCode }) => errorCode)));
    expect(codes).toEqual(new Set([null, 'slug_taken']));
  });

  it('no deadlock occurs: PostgreSQL counted none and no process logged an error', async () => {
    // The servers' ends make their connections hand in their statistics.
    await Promise.all(servers.map((server) => server.end()));
    await expect.poll(() => commitsOf(database), { timeout: 60_000 }).toBeGreaterThan(REQUESTS);
    expect(await deadlocksOf(database)).toBe(0);
    expect(servers.flatMap((server) => server.errors)).toEqual([]);
  });

  it('the counts in the answers agree with the events: one product.updated per Updated result', () => {
    const written = new Set(events.map((event) => event.current['name']));
    expect(written.size).toBe(events.length);
    let updated = 0;
    let slugs = 0;
    for (const [n, report] of reports.entries()) {
      expect([report.requested, report.succeeded + report.failed]).toEqual([IN_ONE, IN_ONE]);
      slugs += report.slugsChanged;
      for (const [k, result] of report.results.entries()) {
        expect(result.id).toBe(requests[n]?.[k]?.id);
        expect(written.has(requests[n]?.[k]?.name)).toBe(result.status === 'Updated');
        if (result.status === 'Updated') updated += 1;
      }
    }
    expect(events).toHaveLength(updated);
    expect(events.filter(({ changedFields }) => changedFields.includes('slug'))).toHaveLength(slugs);
    expect(slugs).toBeGreaterThan(0);
  });

  it('the final rows equal some order of the requests: the events of each product form one chain from its first state to its last', () => {
    // Every name is new, so the previous name in an event identifies the event before it, independent of clocks.
    for (const [at, first] of before.entries()) {
      const own = events.filter(({ id }) => id === first.id);
      const following = new Map(own.map((event) => [event.previous['name'], event]));
      expect(following.size).toBe(own.length);
      let state: Record<string, unknown> = { ...first };
      let steps = 0;
      for (let event = following.get(state['name']); event; event = following.get(state['name'])) {
        const { changedFields } = event;
        for (const field of ['name', 'slug', 'status'].filter((name) => changedFields.includes(name))) {
          expect(event.previous[field]).toBe(state[field]);
          state = { ...state, [field]: event.current[field] };
        }
        steps += 1;
      }
      expect(steps).toBe(own.length);
      expect(state).toEqual(after[at]);
    }
  });

  it('slugs stay unique, and no slug is both in use and in the history', async () => {
    expect(new Set(after.map(({ slug }) => slug)).size).toBe(PRODUCTS);
    const both = 'SELECT 1 FROM slug_history h JOIN products p USING (store_id, slug)';
    expect(await database.query(both)).toEqual([]);
  });
});

interface PgClient {
  readonly connectionParameters: { readonly fallback_application_name?: string };
}

describe('the number of SQL statements, authentication included', () => {
  it('is at most 13 for a bulk update of 250 products and at most 3 for the list and the detail', async () => {
    const database = await openTestDatabase();
    // No background work beside the requests; their fan-out is asked for on the queue's own connections, after the commit.
    const parsed = parseConfig({ ...SETTINGS, DATABASE_URL: database.url, ROLE: 'api' });
    if (!parsed.ok) throw new Error(parsed.message);
    const started = await startServer(await withLocalSecrets(parsed.value, NEVER_EMPTY), database.url, pino({ level: 'silent' }));
    const server = { ...started, url: started.url ?? '' };
    const query = Object.getOwnPropertyDescriptor(pg.Client.prototype, 'query');
    const original = query?.value as (...args: unknown[]) => unknown;
    let count = 0;
    /** The least of three: the node's own looks at the database may come between. */
    const counted = async (work: (time: number) => Promise<{ status: number }>): Promise<number> => {
      const counts: number[] = [];
      for (let time = 1; time <= 3; time += 1) {
        count = 0;
        expect((await work(time)).status).toBe(200);
        counts.push(count);
      }
      return Math.min(...counts);
    };
    try {
      const app = await aStoreWithApp(server, { products: 250 });
      Object.defineProperty(pg.Client.prototype, 'query', {
        ...query,
        value: function (this: PgClient, ...args: unknown[]) {
          if (this.connectionParameters.fallback_application_name === NODE_NAME) count += 1;
          return original.apply(this, args);
        },
      });
      const change = (id: string, k: number) => ({
        id,
        name: `New ${String(k)}`,
        slug: `new-${String(k)}`,
        status: 'Active',
        categoryId: null,
      });
      const one = await counted((time) => bulk(server, app, `one ${String(time)}`, app.productIds.slice(0, 1).map(change)));
      const all = await counted((time) => bulk(server, app, `all ${String(time)}`, app.productIds.map(change)));
      expect(one).toBeGreaterThan(4);
      // A statement of them, the lock of the app's keys, leaves in the same write as the next.
      expect(all).toBeLessThanOrEqual(13);
      const catalog = `${server.url}/apps/catalog/products`;
      const list = await counted(() => call(`${catalog}?take=250`, 'GET', app.headers));
      const detail = await counted(() => call(`${catalog}/${String(app.productIds[0])}`, 'GET', app.headers));
      expect(list).toBeGreaterThan(0);
      expect(list).toBeLessThanOrEqual(3);
      expect(detail).toBeGreaterThan(0);
      expect(detail).toBeLessThanOrEqual(3);
    } finally {
      if (query) Object.defineProperty(pg.Client.prototype, 'query', query);
      await server.stop();
      await database.close();
    }
  });
});

/** `OVERLAP_SECONDS=60` runs the length that is reported. */
const SECONDS = Number(process.env['OVERLAP_SECONDS'] ?? 3);

describe(`changes of a store beside writes of its products, for ${String(SECONDS)} s over two processes`, () => {
  it(
    'are answered without an error of the server, and PostgreSQL counts no deadlock',
    { timeout: 120_000 + SECONDS * 1000 },
    async () => {
      const database = await openTestDatabase();
      const servers = await Promise.all(
        [1, 2].map(() => startProcess({ databaseUrl: database.url, env: { ...PATIENT, ...NO_RATE_LIMITS } })),
      );
      try {
        const [first] = servers as [ServerProcess, ServerProcess];
        const app = await aStoreWithApp(first, { products: IN_ONE });
        const draw = draws(SECONDS);
        let writes = 0;
        const kinds: Readonly<Record<string, (server: ServerProcess) => Promise<{ readonly status: number }>>> = {
          // The domain that the app sends is the store's most of the time.
          domain: (server) => {
            const domain = draw(8) === 0 ? `moved-${String(writes)}.example` : app.domain;
            return asAdmin(server, 'PATCH', `/admin/stores/${app.storeId}`, { domain });
          },
          status: (server) =>
            asAdmin(server, 'PATCH', `/admin/stores/${app.storeId}`, { status: draw(8) === 0 ? 'Inactive' : 'Active' }),
          product: (server) => {
            const at = draw(IN_ONE);
            const name = `Put ${String(writes)}`;
            const variants = [{ sku: `sku-${String(at)}`, currency: 'EUR', price: 10 }];
            const path = `/admin/stores/${app.storeId}/products/${String(app.productIds[at])}`;
            return asAdmin(server, 'PUT', path, { name, slug: `product-${String(at)}`, variants });
          },
          bulk: (server) => {
            const change = (id: string) => ({ id, name: `Bulk ${String(writes)}`, status: 'Draft' });
            return bulk(server, app, `beside-${String(writes)}`, app.productIds.map(change));
          },
        };
        const answers = new Map<string, number>();
        const end = performance.now() + SECONDS * 1000;
        const isOver = (): boolean => performance.now() >= end && Object.keys(kinds).every((kind) => answers.has(`${kind} 200`));
        const client = async (kind: string, server: ServerProcess): Promise<void> => {
          while (!isOver()) {
            writes += 1;
            const { status } = (await kinds[kind]?.(server)) ?? { status: 0 };
            const key = `${kind} ${String(status)}`;
            answers.set(key, (answers.get(key) ?? 0) + 1);
          }
        };
        await Promise.all(
          servers.flatMap((server) => Object.keys(kinds).flatMap((kind) => [client(kind, server), client(kind, server)])),
        );
        console.log(Object.fromEntries([...answers].sort()));
        expect([...answers.keys()].filter((key) => / [05]/.test(key))).toEqual([]);
        // The servers' ends make their connections hand in their statistics.
        await Promise.all(servers.map((server) => server.end()));
        await expect.poll(() => commitsOf(database), { timeout: 60_000 }).toBeGreaterThan(answers.get('bulk 200') ?? 0);
        expect(await deadlocksOf(database)).toBe(0);
        expect(servers.flatMap((server) => server.errors)).toEqual([]);
      } finally {
        await Promise.all(servers.map((server) => server.end()));
        await database.close();
      }
    },
  );
});
