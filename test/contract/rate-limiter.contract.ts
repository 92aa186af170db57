import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { RateLimiter } from '../../src/domain/ports/rate-limiter.ts';
import { rateLimitPolicy } from '../../src/domain/identity/rate-limit.ts';
import type { RateLimitPolicies } from '../../src/domain/identity/rate-limit.ts';

export const policies: RateLimitPolicies = {
  installation: rateLimitPolicy(0.05, 5),
  'token-client': rateLimitPolicy(0.1, 2),
  'token-address': rateLimitPolicy(3, 3),
  'admin-address': { limit: 4, windowSeconds: 60 },
};

export const rateLimiterContract = (name: string, open: () => Promise<{ limiter: RateLimiter; close: () => Promise<void> }>) => {
  describe(`RateLimiter on ${name}`, () => {
    let limiter: RateLimiter;
    let close: () => Promise<void>;
    beforeAll(async () => ({ limiter, close } = await open()));
    afterAll(() => close());

    const drain = async (bucket: 'installation' | 'token-client', key: string, times: number) => {
      const decisions = [];
      for (let at = 0; at < times; at += 1) decisions.push(await limiter.consume(bucket, key));
      return decisions;
    };

    it('allows `limit` requests a window and refuses the others until it ends', async () => {
      const decisions = await drain('installation', randomUUID(), 7);
      expect(decisions.map((decision) => decision.allowed)).toEqual([true, true, true, true, true, false, false]);
      expect(decisions.map((decision) => decision.remaining)).toEqual([4, 3, 2, 1, 0, 0, 0]);
    });

    it('allows again when the window has ended', async () => {
      const key = randomUUID();
      const first = await limiter.consume('token-address', key);
      expect(first).toEqual({ allowed: true, limit: 3, remaining: 2, resetSeconds: 1, windowSeconds: 1 });
      await expect.poll(async () => (await limiter.consume('token-address', key)).allowed).toBe(false);
      await expect.poll(async () => (await limiter.consume('token-address', key)).allowed, { interval: 50 }).toBe(true);
    });

    it('tells the policy and whole seconds until the window ends: 1 to `windowSeconds`', async () => {
      for (const decision of await drain('token-client', randomUUID(), 3)) {
        expect(decision).toMatchObject({ limit: 2, windowSeconds: 20 });
        expect(Number.isInteger(decision.resetSeconds)).toBe(true);
        expect(decision.resetSeconds).toBeGreaterThanOrEqual(1);
        expect(decision.resetSeconds).toBeLessThanOrEqual(20);
      }
    });

    it('counts each bucket and each key on its own', async () => {
      const key = randomUUID();
      await drain('token-client', key, 3);
      expect((await limiter.consume('installation', key)).remaining).toBe(4);
      expect((await limiter.consume('token-client', randomUUID())).remaining).toBe(1);
    });

    it('counts concurrent requests exactly', async () => {
      const key = randomUUID();
      const decisions = await Promise.all(Array.from({ length: 40 }, () => limiter.consume('installation', key)));
      expect(decisions.filter((decision) => decision.allowed)).toHaveLength(5);
    });
  });
};
