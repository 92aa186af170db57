import express from 'express';
import request from 'supertest';
import { describe, expect, it } from 'vitest';

import { addressKey, setRateLimitHeaders } from '../../src/adapters/http/serving/reply/rate-limit.ts';
import type { RateLimitBucket, RateLimitDecision } from '../../src/domain/identity/rate-limit.ts';

const answer = async (decisions: [RateLimitBucket, RateLimitDecision][]) => {
  const app = express().get('/', (_req, res) => {
    for (const [bucket, decision] of decisions) setRateLimitHeaders(res, bucket, decision);
    res.end();
  });
  const { headers } = await request(app).get('/');
  return [headers['ratelimit-policy'], headers['ratelimit'], headers['retry-after']];
};

const decision = (change: Partial<RateLimitDecision>): RateLimitDecision => ({
  allowed: true,
  limit: 500,
  remaining: 499,
  resetSeconds: 10,
  windowSeconds: 10,
  ...change,
});

describe('headers RateLimit-Policy, RateLimit and, on 429, an integer Retry-After that agrees with them', () => {
  it('an accepted request has the remaining number', async () => {
    expect(await answer([['installation', decision({})]])).toEqual([
      '"installation";q=500;w=10',
      '"installation";r=499;t=10',
      undefined,
    ]);
  });

  it('a refused request has the seconds to wait', async () => {
    const refused = decision({ allowed: false, remaining: 0, resetSeconds: 7 });
    expect(await answer([['installation', refused]])).toEqual(['"installation";q=500;w=10', '"installation";r=0;t=7', '7']);
  });

  it('if two limits refuse, the longer wait is in Retry-After', async () => {
    const client = decision({ allowed: false, limit: 120, remaining: 0, resetSeconds: 90, windowSeconds: 120 });
    const address = decision({ allowed: false, limit: 20, remaining: 0, resetSeconds: 1, windowSeconds: 1 });
    expect(
      await answer([
        ['token-client', client],
        ['token-address', address],
      ]),
    ).toEqual(['"token-client";q=120;w=120, "token-address";q=20;w=1', '"token-client";r=0;t=90, "token-address";r=0;t=1', '90']);
  });
});

describe('an address is counted', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['', ''],
  ])('%j as %j', (address, key) => {
    expect(addressKey(address)).toBe(key);
  });
});
