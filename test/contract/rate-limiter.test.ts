import { createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it, vi } from 'vitest';

import { memoryRateLimiter } from '../../src/adapters/node/rate-limiter.ts';
import { redisRateLimiter } from '../../src/adapters/redis/rate-limiter.ts';
import type { ProvenKey } from '../../src/domain/identity/rate-limit.ts';
import type { ApiQuestions } from '../../src/adapters/wiring/processes/protocol.ts';
import { countingIn } from '../../src/adapters/wiring/processes/api-process.ts';
import { startHungRedis } from '../support/hung-redis.ts';
import { channelPair } from '../support/channel-pair.ts';
import { openRedis, redisAvailable, startRedis } from '../support/redis.ts';
import { aKey, policies, rateLimiterContract } from './rate-limiter.contract.ts';

rateLimiterContract('node, in memory', () =>
  Promise.resolve({
    limiter: memoryRateLimiter(policies),
    disconnect: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }),
);

rateLimiterContract('the primary process', () => {
  const counting = memoryRateLimiter(policies);
  let isLost = false;
  const { asking } = channelPair<Pick<ApiQuestions, 'count'>>({
    count: ([bucket, key]) => (isLost ? Promise.reject(new Error('planted')) : counting.consume(bucket, key)),
  });
  return Promise.resolve({
    limiter: countingIn(asking, memoryRateLimiter(policies)),
    disconnect: async () => {
      isLost = true;
    },
    close: () => Promise.resolve(),
  });
});

const onRedis = (url: string) => {
  const losses: Error[] = [];
  return { losses, limiter: redisRateLimiter({ url, policies, onLost: (error) => losses.push(error) }) };
};
type OnRedis = ReturnType<typeof onRedis>['limiter'];

const remaining = async (limiter: OnRedis, key: ProvenKey) => (await limiter.consume('installation', key)).remaining;

/** Resolves when both count the same key together. */
const shared = (a: OnRedis, b: OnRedis) =>
  vi.waitFor(
    async () => {
      const key = aKey();
      expect([await remaining(a, key), await remaining(b, key)]).toEqual([4, 3]);
    },
    { timeout: 60_000 },
  );

describe.skipIf(!redisAvailable)('with a redis-server', () => {
  rateLimiterContract('redis', async () => {
    const server = await openRedis();
    const { limiter, losses } = onRedis(server.url);
    const probe = onRedis(server.url).limiter;
    await shared(limiter, probe);
    probe.close();
    return {
      limiter,
      disconnect: async () => {
        await server.stop();
        await expect.poll(() => losses.length, { timeout: 60_000 }).toBe(1);
      },
      close: async () => {
        limiter.close();
      },
    };
  });

  it('nodes count together; when the shared counter is unreachable each limits by itself; when it is back, together again', async () => {
    const server = await startRedis();
    const [a, b] = [onRedis(server.url), onRedis(server.url)];
    await shared(a.limiter, b.limiter);
    await server.stop();
    const key = aKey();
    await expect.poll(() => a.losses.length + b.losses.length, { timeout: 60_000 }).toBe(2);
    const alone = [];
    for (let at = 0; at < 6; at += 1) alone.push(await a.limiter.consume('installation', key));
    expect(alone.map((decision) => decision.allowed)).toEqual([true, true, true, true, true, false]);
    expect(await remaining(b.limiter, key)).toBe(4);
    const again = await startRedis(server.port);
    await shared(a.limiter, b.limiter);
    a.limiter.close();
    b.limiter.close();
    await again.stop();
  });
});

it.skipIf(!redisAvailable)('a shared counter that hangs is asked by one request, and the others do not wait for it', async () => {
  const server = await startHungRedis();
  const [a, b] = [onRedis(server.url), onRedis(server.url)];
  await shared(a.limiter, b.limiter);
  await server.hang();
  const key = aKey();
  const allowed = [];
  for (let at = 0; at < 60; at += 1) allowed.push((await a.limiter.consume('installation', key)).allowed);
  expect(allowed.filter(Boolean)).toHaveLength(5);
  expect(a.losses).toHaveLength(1);
  expect(await server.resume()).toBe(1);
  await shared(a.limiter, b.limiter);
  a.limiter.close();
  b.limiter.close();
  await server.stop();
});

it('a node that starts while the shared counter is unreachable limits by itself', async () => {
  const { limiter, losses } = onRedis('redis://127.0.0.1:1');
  const key = aKey();
  expect([await remaining(limiter, key), await remaining(limiter, key)]).toEqual([4, 3]);
  await expect.poll(() => losses.length).toBe(1);
  limiter.close();
});

it('a shared counter that takes connections and never answers holds no request up', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  await expect.poll(() => silent.listening).toBe(true);
  const { limiter } = onRedis(`redis://127.0.0.1:${(silent.address() as AddressInfo).port}`);
  await expect.poll(() => sockets.length).toBe(1);
  expect(await remaining(limiter, aKey())).toBe(4);
  limiter.close();
  for (const socket of sockets) socket.destroy();
  silent.close();
});
