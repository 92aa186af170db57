import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';

import type { RateLimiter } from '../../src/domain/ports/identity/rate-limiter.ts';
import { provenKey, rateLimitPolicy, type ProvenKey, type RateLimitPolicies } from '../../src/domain/identity/rate-limit.ts';
import { beforeAll } from './hooks.ts';

export const policies: RateLimitPolicies = {
  installation: rateLimitPolicy(0.05, 5),
  'token-client': rateLimitPolicy(0.1, 2),
  'token-app': rateLimitPolicy(1, 10),
  'token-failures': rateLimitPolicy(1, 10),
  'token-address': rateLimitPolicy(3, 3),
  'admin-address': { limit: 4, windowSeconds: 60 },
};

export const aKey = () => provenKey(randomUUID());

export interface LimiterWorld {
  readonly limiter: RateLimiter;
  /** Makes the shared counter unreachable, where there is one. */
  disconnect(): Promise<void>;
  close(): Promise<void>;
}

export const rateLimiterContract = (name: string, open: () => Promise<LimiterWorld>) => {
  describe(`RateLimiter on ${name}`, () => {
    let world: LimiterWorld;
    let limiter: RateLimiter;
    beforeAll(async () => {
      world = await open();
      ({ limiter } = world);
    });
    afterAll(() => world.close());

    const drain = async (bucket: 'installation' | 'token-client', key: ProvenKey, times: number) => {
      const decisions = [];
      for (let at = 0; at < times; at += 1) decisions.push(await limiter.consume(bucket, key));
      return decisions;
    };

    describe('consume', () => {
      it('Counts one request of the key.', async () => {
        const key = aKey();
        expect((await limiter.consume('installation', key)).remaining).toBe(4);
        expect((await limiter.consume('installation', key)).remaining).toBe(3);
      });

      it('Allows `limit` requests in a window and refuses the others until it ends.', async () => {
        const decisions = await drain('installation', aKey(), 7);
        expect(decisions.map((decision) => decision.allowed)).toEqual([true, true, true, true, true, false, false]);
        expect(decisions.map((decision) => decision.remaining)).toEqual([4, 3, 2, 1, 0, 0, 0]);
      });

      it('Allows requests again when the window has ended.', async () => {
        const key = aKey();
        const first = await limiter.consume('token-address', key);
        expect(first).toEqual({ allowed: true, limit: 3, remaining: 2, resetSeconds: 1, windowSeconds: 1 });
        await expect.poll(async () => (await limiter.consume('token-address', key)).allowed).toBe(false);
        await expect.poll(async () => (await limiter.consume('token-address', key)).allowed, { interval: 50 }).toBe(true);
      });

      it('Returns the policy and the whole seconds until the window ends, from 1 to `windowSeconds`.', async () => {
        for (const decision of await drain('token-client', aKey(), 3)) {
          expect(decision).toMatchObject({ limit: 2, windowSeconds: 20 });
          expect(Number.isInteger(decision.resetSeconds)).toBe(true);
          expect(decision.resetSeconds).toBeGreaterThanOrEqual(1);
          expect(decision.resetSeconds).toBeLessThanOrEqual(20);
        }
      });

      it('Counts each bucket and each key separately.', async () => {
        const key = aKey();
        await drain('token-client', key, 3);
        expect((await limiter.consume('installation', key)).remaining).toBe(4);
        expect((await limiter.consume('token-client', aKey())).remaining).toBe(1);
      });

      it('Counts concurrent requests exactly.', async () => {
        const key = aKey();
        const decisions = await Promise.all(Array.from({ length: 40 }, () => limiter.consume('installation', key)));
        expect(decisions.filter((decision) => decision.allowed)).toHaveLength(5);
      });

      it('Counts on this node alone while a shared counter is unreachable.', async () => {
        await world.disconnect();
        const decisions = await drain('installation', aKey(), 6);
        expect(decisions.map((decision) => decision.allowed)).toEqual([true, true, true, true, true, false]);
      });
    });
  });
};
