import { Readable } from 'node:stream';
import pg from 'pg';
import { Client, request } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startLocally, type LocalServer } from '../support/local-server.ts';
import { awaitLockWaits } from '../support/lock-waits.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import {
  asAdmin,
  aStoreWithApp,
  bulk,
  BULK,
  call,
  startProcess,
  type Answer,
  type ServerProcess,
  type StoreWithApp,
} from '../support/server.ts';

let database: TestDatabase;
let first: ServerProcess;
let second: LocalServer;
let servers: LocalServer[] = [];
let app: StoreWithApp;

beforeAll(async () => {
  database = await openTestDatabase();
  // The smallest that the setting allows: an answer about 12 products is larger.
  const options = { databaseUrl: database.url, env: { IDEMPOTENCY_MAX_RESPONSE_BYTES: '1024' } };
  [first, second] = await Promise.all([startProcess(options), startLocally(options)]);
  servers = [first, second];
  app = await aStoreWithApp(first, { products: 20 });
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.end()));
  await database.close();
});

const id = (k: number): string => app.productIds[k] ?? '';
const codeOf = ({ body }: Answer): unknown => (JSON.parse(body) as { code?: unknown }).code;
const updates = async (k: number): Promise<number> => {
  const rows = await database.query(
    "SELECT 1 FROM events WHERE store_id = $1 AND type = 'product.updated' AND resource_id = $2",
    [app.storeId, id(k)],
  );
  return rows.length;
};

/** Holds a product's row, so that a bulk update of it runs until `release` is called. */
const hold = async (k: number): Promise<{ release: () => Promise<void>; waited: () => Promise<void> }> => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('BEGIN');
  await client.query('SELECT 1 FROM products WHERE store_id = $1 AND id = $2 FOR UPDATE', [app.storeId, id(k)]);
  return {
    release: async () => {
      await client.query('COMMIT');
      await client.end();
    },
    waited: () => awaitLockWaits(database),
  };
};

it('25 concurrent requests with one key on each of two processes: exactly one executes, the others get 409 with Retry-After: 1', async () => {
  const held = await hold(0);
  const answers: Answer[] = [];
  const requests = servers.flatMap((server) =>
    Array.from({ length: 25 }, async () => {
      const answer = await bulk(server, app, 'fifty', [{ id: id(0), name: 'Fifty' }]);
      answers.push(answer);
      return answer;
    }),
  );
  await expect.poll(() => answers.length, { timeout: 60_000 }).toBe(49);
  for (const answer of answers) {
    expect([answer.status, answer.headers['retry-after'], codeOf(answer)]).toEqual([409, '1', 'idempotency_in_progress']);
    expect(answer.headers['idempotent-replay']).toBeUndefined();
  }
  await held.release();
  const executed = (await Promise.all(requests)).filter(({ status }) => status === 200);
  expect(executed).toHaveLength(1);
  expect(executed[0]?.headers['idempotent-replay']).toBeUndefined();
  expect(await updates(0)).toBe(1);
  for (const server of servers) {
    const replay = await bulk(server, app, 'fifty', [{ id: id(0), name: 'Fifty' }]);
    expect(replay).toMatchObject({ status: 200, body: executed[0]?.body, headers: { 'idempotent-replay': 'true' } });
    expect(replay.headers['content-type']).toBe(executed[0]?.headers['content-type']);
  }
  expect(await updates(0)).toBe(1);
});

it('25 concurrent requests with one key on each of two processes, without a delay: one executes, the others get 409 or the replay', async () => {
  const sent = servers.flatMap((server) =>
    Array.from({ length: 25 }, () => bulk(server, app, 'free', [{ id: id(1), name: 'Free' }])),
  );
  const answers = await Promise.all(sent);
  const executed = answers.filter(({ status, headers }) => status === 200 && headers['idempotent-replay'] === undefined);
  expect(executed).toHaveLength(1);
  for (const answer of answers) {
    if (answer.status === 200) expect(answer.body).toBe(executed[0]?.body);
    else expect([answer.status, answer.headers['retry-after'], codeOf(answer)]).toEqual([409, '1', 'idempotency_in_progress']);
  }
  expect(await updates(1)).toBe(1);
});

it('100 concurrent requests with a finished key on each of two processes: every one is the replay', async () => {
  const products = [{ id: id(9), name: 'Often' }];
  const { body } = await bulk(first, app, 'often', products);
  const answers = await Promise.all(
    servers.flatMap((server) => Array.from({ length: 100 }, () => bulk(server, app, 'often', products))),
  );
  expect(answers.filter((answer) => answer.status !== 200 || answer.body !== body)).toEqual([]);
  expect(answers.every(({ headers }) => headers['idempotent-replay'] === 'true')).toBe(true);
  expect(await updates(9)).toBe(1);
});

it('Same key, different request: 422, also while the first is running (no Retry-After)', async () => {
  const held = await hold(2);
  const running = bulk(first, app, 'other', [{ id: id(2), name: 'Other' }]);
  await held.waited();
  const during = await Promise.all(servers.map((server) => bulk(server, app, 'other', [{ id: id(3), name: 'Other' }])));
  await held.release();
  expect((await running).status).toBe(200);
  const after = await bulk(first, app, 'other', [{ id: id(3), name: 'Other' }]);
  for (const answer of [...during, after]) {
    expect([answer.status, codeOf(answer), answer.headers['retry-after']]).toEqual([422, 'idempotency_key_reused', undefined]);
  }
  expect(await updates(3)).toBe(0);
});

it("24 h (cfg) count from the finish, by the database's clock: then the key is free for any request", async () => {
  const change = [{ id: id(4), name: 'Expiring' }];
  expect((await bulk(first, app, 'expiring', change)).status).toBe(200);
  const age = (interval: string) =>
    database.query(`UPDATE idempotency_records SET finished_at = now() - $1::text::interval WHERE key = 'expiring'`, [interval]);
  await age('23 hours 59 minutes');
  expect((await bulk(first, app, 'expiring', change)).headers['idempotent-replay']).toBe('true');
  await age('24 hours 1 second');
  const again = await bulk(first, app, 'expiring', [{ id: id(4), name: 'Another' }]);
  expect([again.status, again.headers['idempotent-replay']]).toEqual([200, undefined]);
  expect(await updates(4)).toBe(2);
});

it('A 400 from JSON or schema is below 500, so it is remembered', async () => {
  for (const [key, body] of [
    ['no-json', '{'],
    ['no-schema', '{"products":[{"id":7}]}'],
    ['none', '{"products":[]}'],
  ] as const) {
    const headers = { ...app.headers, 'idempotency-key': key };
    const refused = await call(`${first.url}${BULK}`, 'POST', headers, body);
    const replay = await call(`${first.url}${BULK}`, 'POST', headers, body);
    expect([refused.status, refused.headers['idempotent-replay']]).toEqual([400, undefined]);
    expect(replay).toMatchObject({ status: 400, body: refused.body, headers: { 'idempotent-replay': 'true' } });
    expect((await bulk(first, app, key, [{ id: id(5), name: 'Late' }])).status).toBe(422);
  }
});

it('401, 403, 413, 415, 429 and a bad key are not remembered', async () => {
  const reader = await aStoreWithApp(first, { scopes: ['read_products'], products: 1 });
  const limited = await startLocally({ databaseUrl: database.url, env: { RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_BURST: '60' } });
  try {
    const before = await database.query('SELECT key FROM idempotency_records');
    const change = [{ id: id(6), name: 'Later' }];
    const statuses = async (...sent: Promise<Answer>[]) => (await Promise.all(sent)).map(({ status }) => status);
    expect(
      await statuses(
        bulk(first, app, 'unused', change, { authorization: 'Bearer nothing' }),
        bulk(first, reader, 'unused', change),
        bulk(first, app, 'unused', [{ id: id(6), name: 'x'.repeat(2_097_152) }]),
        bulk(first, app, 'unused', change, { 'content-type': 'text/plain' }),
        bulk(first, app, 'unused', change, { 'content-encoding': 'gzip' }),
        bulk(first, app, 'x'.repeat(256), change),
      ),
    ).toEqual([401, 403, 413, 415, 415, 400]);
    // The window lasts a minute, so that a busy machine uses it up before it ends.
    const list = () => call(`${limited.url}/apps/catalog/products`, 'GET', app.headers);
    expect(await statuses(...Array.from({ length: 60 }, list))).toEqual(Array.from({ length: 60 }, () => 200));
    expect(await statuses(bulk(limited, app, 'unused', change))).toEqual([429]);
    expect(await database.query('SELECT key FROM idempotency_records')).toHaveLength(before.length);
    const executed = await bulk(first, app, 'unused', change);
    expect([executed.status, executed.headers['idempotent-replay']]).toEqual([200, undefined]);
  } finally {
    await limited.end();
  }
});

it('More body bytes than are kept: 409 idempotency_not_replayable, no Retry-After', async () => {
  const changes = app.productIds.slice(7, 19).map((product) => ({ id: product, name: 'Many' }));
  const executed = await bulk(first, app, 'large', changes);
  expect(executed.status).toBe(200);
  expect(Buffer.byteLength(executed.body)).toBeGreaterThan(1_024);
  const again = await bulk(second, app, 'large', changes);
  expect([again.status, codeOf(again), again.headers['retry-after']]).toEqual([409, 'idempotency_not_replayable', undefined]);
  expect(again.headers['idempotent-replay']).toBeUndefined();
  expect(await updates(7)).toBe(1);
});

it('A client that disconnects after its body arrived changes nothing: the work runs to its end and is remembered', async () => {
  const held = await hold(19);
  const change = [{ id: id(19), name: 'Gone' }];
  const connection = new Client(first.url);
  const cut = connection
    .request({
      path: BULK,
      method: 'POST',
      headers: { ...app.headers, 'idempotency-key': 'gone' },
      body: JSON.stringify({ products: change }),
    })
    .then(
      () => 'answered',
      () => 'cut',
    );
  await held.waited();
  await connection.destroy();
  expect(await cut).toBe('cut');
  await held.release();
  await expect.poll(() => updates(19), { timeout: 60_000 }).toBe(1);
  const retry = await bulk(first, app, 'gone', change);
  expect([retry.status, retry.headers['idempotent-replay']]).toEqual([200, 'true']);
});

it('a retry whose body is still arriving when its app is uninstalled gets no replay', async () => {
  const gone = await aStoreWithApp(first, { products: 1 });
  const change = [{ id: gone.productIds[0], name: 'Slow' }];
  expect((await bulk(first, gone, 'slow', change)).status).toBe(200);
  const [before] = await database.query<{ at: string }>('SELECT clock_timestamp()::text AS at');
  const passed = async (): Promise<number> =>
    (
      await database.query(
        `SELECT 1 FROM pg_stat_activity WHERE query LIKE '%LEFT JOIN idempotency_records%' AND state = 'idle' AND query_start > $1::timestamptz`,
        [before?.at],
      )
    ).length;
  const text = JSON.stringify({ products: change });
  const body = async function* (): AsyncGenerator<string> {
    yield text.slice(0, 5);
    await expect.poll(passed, { timeout: 60_000 }).toBe(1);
    const { status } = await asAdmin(first, 'POST', `/admin/apps/${gone.installationId}/uninstall`);
    expect(status).toBeLessThan(300);
    yield text.slice(5);
  };
  const {
    statusCode,
    headers,
    body: answer,
  } = await request(`${first.url}${BULK}`, {
    method: 'POST',
    headers: { ...gone.headers, 'idempotency-key': 'slow', 'content-length': String(text.length) },
    body: Readable.from(body()),
  });
  await answer.dump();
  expect(headers['idempotent-replay']).toBeUndefined();
  expect(statusCode).toBeGreaterThanOrEqual(400);
});
