import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import type { PrismaStorage } from '../../src/adapters/prisma/storage.ts';
import { TOKENS } from '../../src/adapters/wiring/ports/tokens.ts';
import { FailedTokens, type TokenLookup, type TokenNews } from '../../src/adapters/http/serving/admit/failed-tokens.ts';
import type { Authenticated } from '../../src/application/identity/authenticate.ts';
import { rateLimitPolicy } from '../../src/domain/identity/rate-limit.ts';
import { formatCredential } from '../../src/domain/identity/token.ts';
import { openApp, type OpenApp, type TestStore } from '../support/app.ts';

const LIST = '/apps/catalog/products';
const unknownToken = (): string => formatCredential('accessToken', randomBytes(32));

describe('FailedTokens', () => {
  const caller = { storeId: 's', installationId: 'i', scopes: [], sandboxAppId: null };
  let time: number;
  let lookups: number;
  let valid: Set<string>;
  let failures: FailedTokens;
  beforeEach(() => {
    [time, lookups, valid] = [0, 0, new Set(['good'])];
    failures = new FailedTokens({ policy: rateLimitPolicy(1, 3), now: () => time, capacity: 10 });
  });
  const lookUp = (token: string, address = '192.0.2.1'): Promise<TokenLookup> =>
    failures.lookUp(
      token,
      () => address,
      async (): Promise<Authenticated> => {
        lookups += 1;
        return valid.has(token) ? { ok: true, caller, known: null } : { ok: false, reason: 'unknown_token' };
      },
    );
  const spend = async (address?: string): Promise<void> => {
    for (let n = 0; n < 3; n += 1) await lookUp(`bad-${String(n)}`, address);
  };

  it('refuses an address over its limit without a lookup until its window ends, and no other address', async () => {
    await spend();
    time = 1_000;
    expect(await lookUp('bad')).toMatchObject({
      reason: 'rate_limited',
      limit: { allowed: false, remaining: 0, resetSeconds: 2 },
    });
    expect(lookups).toBe(3);
    expect(await lookUp('bad', '192.0.2.2')).toMatchObject({ reason: 'unknown_token' });
    time = 3_000;
    expect(await lookUp('bad')).toMatchObject({ reason: 'unknown_token' });
  });

  it('tells other processes what they need to do the same, and learns from them', async () => {
    const told: TokenNews[] = [];
    const policy = rateLimitPolicy(1, 3);
    const [first, second] = [new FailedTokens({ policy, tell: (news) => told.push(news) }), new FailedTokens({ policy })];
    const lookUpOn = (tokens: FailedTokens, token: string) =>
      tokens.lookUp(
        token,
        () => '192.0.2.1',
        async (): Promise<Authenticated> =>
          token === 'bad' ? { ok: false, reason: 'unknown_token' } : { ok: true, caller, known: null },
      );
    for (const token of ['good', 'good', 'bad', 'bad', 'bad']) await lookUpOn(first, token);
    first.issued('issued');
    expect(told.map((news) => Object.keys(news)[0])).toEqual(['known', 'failed', 'failed', 'failed', 'known']);
    expect(JSON.stringify(told)).not.toContain('issued');
    for (const news of told) second.hear(news);
    expect(await lookUpOn(second, 'new')).toMatchObject({ reason: 'rate_limited' });
    for (const token of ['good', 'issued']) expect(await lookUpOn(second, token)).toMatchObject({ ok: true });
  });

  it('looks up a token that was valid on this node before, also from an address over its limit; other valid tokens wait', async () => {
    valid.add('new').add('issued');
    await lookUp('good');
    await spend();
    failures.issued('issued');
    expect([await lookUp('good'), await lookUp('issued')]).toMatchObject([{ ok: true }, { ok: true }]);
    expect(await lookUp('new')).toMatchObject({ reason: 'rate_limited' });
  });

  it('looks up and refuses a revoked token immediately, and forgets it', async () => {
    await lookUp('good');
    await spend();
    valid.clear();
    expect(await lookUp('good')).toMatchObject({ reason: 'unknown_token' });
    expect(await lookUp('good')).toMatchObject({ reason: 'rate_limited' });
  });

  it('does not count malformed tokens and failed lookups', async () => {
    for (let n = 0; n < 9; n += 1) {
      await failures.lookUp(
        'x',
        () => 'a',
        () => Promise.resolve({ ok: false, reason: 'malformed' }),
      );
      const lost = failures.lookUp(
        'x',
        () => 'a',
        () => Promise.reject(new Error('lost')),
      );
      await expect(lost).rejects.toThrow('lost');
    }
    expect(await lookUp('bad', 'a')).toMatchObject({ reason: 'unknown_token' });
  });

  it('remembers a bounded number of addresses and tokens', async () => {
    for (let n = 0; n < 1_000; n += 1) {
      valid.add(`good-${String(n)}`);
      await lookUp(`good-${String(n)}`);
      await lookUp('bad', `192.0.2.${String(n)}`);
    }
    expect(failures.size).toBeLessThanOrEqual(20);
  });
});

describe('429 for an address that sent too many invalid tokens', () => {
  let server: OpenApp;
  let store: TestStore;
  let lookups: { readonly mock: { readonly calls: readonly unknown[] } };
  beforeAll(async () => {
    server = await openApp({ FAILED_TOKEN_RATE_LIMIT_PER_SECOND: '1', FAILED_TOKEN_RATE_LIMIT_BURST: '60' });
    store = await server.aStore();
    const { database } = server.container.resolve(TOKENS.storage) as PrismaStorage;
    lookups = vi.spyOn(database.pipeline, 'rows');
  });
  afterAll(() => server.close());

  it('is sent before the lookup, with consistent headers; known tokens still work, and revocation applies from the next request', async () => {
    const app = await server.anApp(store);
    const known = server.api(store.domain, await server.token(app));
    // The window takes 60 s, so that a busy machine does not see its end.
    for (let n = 0; n < 60; n += 1) expect((await server.api(store.domain, unknownToken())('get', LIST)).status).toBe(401);
    const before = lookups.mock.calls.length;
    for (const path of [LIST, '/apps/webhooks/subscriptions']) {
      const refused = await server.api(store.domain, unknownToken())('get', path);
      expect([refused.status, refused.body]).toEqual([
        429,
        { error: expect.stringContaining('invalid access token'), code: 'rate_limited' },
      ]);
      const { 'retry-after': wait = '', ...headers } = refused.headers as Record<string, string>;
      expect(headers).toMatchObject({
        'ratelimit-policy': '"failed-tokens";q=60;w=60',
        ratelimit: `"failed-tokens";r=0;t=${wait}`,
      });
      expect(Number(wait)).toBeGreaterThanOrEqual(1);
    }
    expect((await server.api(store.domain, 'tnn_at_malformed')('get', LIST)).status).toBe(401);
    expect(lookups.mock.calls.length).toBe(before);
    expect((await known('get', LIST)).status).toBe(200);
    expect((await server.api(store.domain, await server.token(app))('get', LIST)).status).toBe(200);
    await server.admin('post', `/admin/apps/${app.id}/revoke-tokens`).expect(204);
    expect((await known('get', LIST)).status).toBe(401);
    expect(server.logged().filter(({ reason }) => reason === 'failed_tokens')).toHaveLength(2);
  });
});
