import { afterEach, describe, expect, it } from 'vitest';

import { poolerFault } from '../../src/adapters/prisma/connection/pooling.ts';
import { eventually } from '../support/eventually.ts';
import { startLocally } from '../support/local-server.ts';
import { compiledMain, runMain } from '../support/main-process.ts';
import { pgbouncerAvailable, startPgBouncer, type PgBouncer } from '../support/pgbouncer.ts';
import { openTestDatabase } from '../support/postgres.ts';
import { startReceiver } from '../support/receiver.ts';
import { openRedis, redisAvailable } from '../support/redis.ts';
import { aStoreWithApp, bulk, SETTINGS } from '../support/server.ts';
import { subscribe } from '../support/webhooks.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const pooled = async (mode: 'session' | 'transaction', settings?: string): Promise<PgBouncer> => {
  const database = await openTestDatabase();
  ends.push(() => database.close());
  const pooler = await startPgBouncer(database.url, mode, settings);
  ends.push(() => pooler.stop());
  return pooler;
};

const SENTENCE = /^.*The pooler at DATABASE_URL gives each transaction another connection .*docs\/scaling\.md\)\.$/m;

describe.skipIf(!pgbouncerAvailable)('pgbouncer', () => {
  it.each([
    ['PostgreSQL', () => Promise.resolve({})],
    [
      'Redis',
      async () => {
        const redis = await openRedis();
        ends.push(() => redis.stop());
        return { REDIS_URL: redis.url };
      },
    ],
  ])('in session mode with its default settings, a node writes and delivers with the queue in %s', async (where, open) => {
    if (where === 'Redis' && !redisAvailable) return;
    const queue = await open();
    const { url } = await pooled('session');
    const receiver = await startReceiver();
    ends.push(() => receiver.close());
    // A node that works takes its own requests without the queue: the API alone has to ask another.
    const api = await startLocally({ databaseUrl: url, env: { ...queue, ROLE: 'api' } });
    ends.push(() => api.end());
    const worker = await startLocally({ databaseUrl: url, env: { ...queue, ROLE: 'worker' } });
    ends.push(() => worker.end());
    const app = await aStoreWithApp(api, { products: 1, scopes: ['read_products', 'write_products', 'write_webhooks'] });
    await subscribe(api, app, receiver.url, 'product.updated');
    await receiver.next();
    expect((await bulk(api, app, 'pooled', [{ id: app.productIds[0], name: 'By way of a pooler' }])).status).toBe(200);
    await eventually(async () => expect(receiver.received.map(({ body }) => String(body)).join()).toContain('product.updated'));
    expect([api.errors, worker.errors]).toEqual([[], []]);
  });

  it.each([
    ['transaction', ''],
    ['transaction', 'server_round_robin = 1'],
    ['transaction', 'min_pool_size = 2\nserver_round_robin = 1'],
    ['transaction', 'min_pool_size = 7\nserver_round_robin = 1'],
  ] as const)('in %s mode (%s) connections are not kept, and that is found each time', async (mode, settings) => {
    const { url } = await pooled(mode, settings);
    for (let time = 0; time < 10; time += 1) expect(await poolerFault(url)).not.toBeNull();
  });

  it('in transaction mode the start ends with one sentence, and doctor says it', async () => {
    const { url } = await pooled('transaction');
    const env = { ...SETTINGS, DATABASE_URL: url };
    const started = runMain({ env });
    expect(await started.ended).toBe(1);
    expect(started.err()).toMatch(SENTENCE);
    expect(started.err().trim().split('\n')).toHaveLength(1);
    const doctor = runMain({ env, command: [...compiledMain(), 'doctor'] });
    expect(await doctor.ended).toBe(1);
    expect(doctor.out()).toContain('The pooler at DATABASE_URL gives each transaction another connection');
    expect(doctor.out()).not.toContain('prepared statement');
  });
});

it('PostgreSQL itself keeps connections', async () => {
  const database = await openTestDatabase();
  ends.push(() => database.close());
  for (let time = 0; time < 5; time += 1) expect(await poolerFault(database.url)).toBeNull();
});
