import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import request from 'supertest';

import { createFailureLimit } from '../../src/adapters/http/serving/admit/failure-limit.ts';
import { decideRateLimit } from '../../src/domain/identity/rate-limit.ts';
import { ADMIN_TOKEN, openApp, type OpenApp } from '../support/app.ts';

describe('wrong admin tokens', () => {
  let server: OpenApp;
  beforeAll(async () => {
    server = await openApp({ TRUSTED_PROXIES: '127.0.0.1', ADMIN_FAILURES_PER_MINUTE: '3' });
  });
  afterAll(async () => {
    await server.close();
  });
  const from = (address: string, token: string | null) => {
    const call = request(server.adminUrl).get('/admin/stores').set('X-Forwarded-For', address);
    return token === null ? call : call.set('Authorization', `Bearer ${token}`);
  };

  it('429 with Retry-After after three from one address, also for the right token; another address is not affected', async () => {
    const statuses = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await from('203.0.113.1', `wrong-${n}`)).status);
    expect(statuses).toEqual([401, 401, 401]);
    for (const token of ['wrong-4', 'wrong-5', ADMIN_TOKEN]) {
      const answer = await from('203.0.113.1', token);
      expect([answer.status, answer.type]).toEqual([429, 'application/problem+json']);
      expect(answer.body).toMatchObject({ code: 'rate_limited', detail: expect.stringContaining('Retry-After') as string });
      expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(60);
    }
    expect((await from('203.0.113.2', ADMIN_TOKEN)).status).toBe(200);
  });

  it('a right token is never counted, and a request without a token always gets 401', async () => {
    for (let n = 0; n < 6; n += 1) expect((await from('203.0.113.3', ADMIN_TOKEN)).status).toBe(200);
    for (let n = 0; n < 6; n += 1) expect((await from('203.0.113.3', null)).status).toBe(401);
    expect((await from('203.0.113.3', ADMIN_TOKEN)).status).toBe(200);
  });
});

describe('a limit on failures', () => {
  const open = () => {
    const world = { now: 0, counted: 0 };
    const limiter = {
      consume: async () => decideRateLimit({ limit: 2, windowSeconds: 60 }, (world.counted += 1), 30_000),
    };
    return { world, limit: createFailureLimit(limiter, 'admin-address', () => world.now) };
  };

  it('refuses a key exactly until the end of its window, and does not count what it refuses', async () => {
    const { world, limit } = open();
    for (const allowed of [true, true, false]) expect((await limit.failed('a')).allowed).toBe(allowed);
    expect(limit.refusal('a')).toMatchObject({ allowed: false, remaining: 0, resetSeconds: 30 });
    world.now = 29_500;
    expect(limit.refusal('a')).toMatchObject({ resetSeconds: 1 });
    world.now = 30_000;
    expect(limit.refusal('a')).toBeNull();
    expect(world.counted).toBe(3);
  });

  it('keeps a bounded number of the newest refusals', async () => {
    const { world, limit } = open();
    world.counted = 2;
    for (let n = 0; n <= 10_000; n += 1) await limit.failed(String(n));
    expect(limit.refusal('0')).toBeNull();
    expect(limit.refusal('1')).not.toBeNull();
    expect(limit.refusal('10000')).not.toBeNull();
  });
});
