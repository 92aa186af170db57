import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startHungRedis, type HungRedis } from '../support/hung-redis.ts';
import { startLocally, type LocalServer } from '../support/local-server.ts';
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { redisAvailable } from '../support/redis.ts';
import { aStoreWithApp, bulk, call } from '../support/server.ts';

describe.skipIf(!redisAvailable)('a Redis that hangs', () => {
  let database: TestDatabase;
  let redis: HungRedis;
  const nodes: Record<'all' | 'api' | 'worker', LocalServer | null> = { all: null, api: null, worker: null };
  beforeAll(async () => {
    [database, redis] = await Promise.all([openTestDatabase(), startHungRedis()]);
    for (const role of ['all', 'api', 'worker'] as const)
      nodes[role] = await startLocally({ databaseUrl: database.url, env: { REDIS_URL: redis.url, ROLE: role } });
  });
  afterAll(async () => {
    for (const node of Object.values(nodes)) await node?.end();
    await redis.stop();
    await database.close();
  });

  const ready = async (role: keyof typeof nodes): Promise<unknown> => {
    const { status, body } = await call(`${nodes[role]!.adminUrl}/readyz`, 'GET');
    return [status, JSON.parse(body).checks.queue];
  };
  const becomes = (role: keyof typeof nodes, judged: unknown): Promise<void> =>
    expect.poll(() => ready(role), { timeout: 60_000 }).toEqual(judged);

  it('does not make a node unready that answers requests, and each of its requests is answered', async () => {
    const api = nodes.api!;
    const app = await aStoreWithApp(api, { products: 1 });
    for (const role of ['all', 'api', 'worker'] as const) await becomes(role, [200, 'ok']);
    await redis.hang();
    await becomes('all', [200, 'degraded']);
    await becomes('api', [200, 'degraded']);
    await becomes('worker', [503, 'failing']);
    for (let at = 0; at < 20; at += 1) {
      const name = `Written ${String(at)}`;
      expect((await bulk(api, app, `hung-${String(at)}`, [{ id: app.productIds[0], name }])).status).toBe(200);
      expect((await call(`${api.url}/apps/catalog/products`, 'GET', app.headers)).status).toBe(200);
    }
    expect((await call(`${api.adminUrl}/metrics`, 'GET')).status).toBe(200);
    await redis.resume();
    for (const role of ['all', 'api', 'worker'] as const) await becomes(role, [200, 'ok']);
  });
});
