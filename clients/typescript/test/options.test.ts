import { afterEach, describe, expect, it, vi } from 'vitest';

import manifest from '../package.json' with { type: 'json' };
import { Tenon, type ResponseInfo, type RetryInfo, type Token } from '../src/index.ts';
import { VERSION } from '../src/user-agent.ts';
import { CREDENTIALS, empty, fakeServer, json } from './support/fake-server.ts';

afterEach(() => vi.restoreAllMocks());

const PRODUCT = json(200, { id: 'p' }, { ETag: '"1"', RateLimit: '"installation";r=499;t=1' });
const BUSY = empty(503, { 'Retry-After': '0', 'X-Request-Id': 'request-0' });

describe('options of one call', () => {
  it('maxAttempts counts in place of that of the client', async () => {
    const { tenon, sent } = fakeServer([BUSY]);
    await expect(tenon.products.get('p', { maxAttempts: 2 })).rejects.toMatchObject({ attempts: 2 });
    expect(sent).toHaveLength(2);
  });

  it('timeout counts in place of that of the client', async () => {
    const hang = (_input: unknown, init?: RequestInit): Promise<Response> =>
      new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error)));
    const tokens = { load: () => Promise.resolve({ accessToken: 't', renewAt: Infinity }), save: () => Promise.resolve() };
    const tenon = new Tenon({ ...CREDENTIALS, fetch: hang, tokens });
    await expect(tenon.products.get('p', { timeout: 5, maxAttempts: 1 })).rejects.toMatchObject({ code: 'timeout' });
  });

  it('headers are sent beside those of the client, and are not parameters of a list', async () => {
    const { tenon, sent } = fakeServer([PRODUCT, json(200, { items: [], total: 0, next: null })]);
    await tenon.products.get('p', { headers: { 'X-Trace': '1' }, etag: '"0"' });
    await tenon.products.list({ q: 'saw', headers: { 'X-Trace': '2' } }).next();
    expect(sent.map(({ headers }) => headers.get('X-Trace'))).toEqual(['1', '2']);
    expect(sent[0]?.headers.get('If-None-Match')).toBe('"0"');
    expect([...(sent[1]?.query.keys() ?? [])]).toEqual(['take', 'q', 'after']);
  });
});

describe('hooks', () => {
  it('see each attempt, the wait before the next, and the request id and rate limit of each response', async () => {
    const log: unknown[] = [];
    const { tenon } = fakeServer([BUSY, PRODUCT], {
      onRequest: ({ method, path, attempt }) => log.push(['request', method, path, attempt]),
      onResponse: ({ status, requestId, rateLimit }: ResponseInfo) => log.push(['response', status, requestId, rateLimit]),
      onRetry: ({ attempt, wait }: RetryInfo) => log.push(['retry', attempt, wait]),
    });
    await tenon.products.get('p');
    const path = '/apps/catalog/products/p';
    expect(log.filter((entry) => !JSON.stringify(entry).includes('token')).slice(1)).toEqual([
      ['request', 'GET', path, 1],
      ['response', 503, 'request-0', null],
      ['retry', 1, 0],
      ['request', 'GET', path, 2],
      ['response', 200, 'request-1', { remaining: 499, reset: 1 }],
    ]);
    expect(tenon.lastResponse).toMatchObject({ status: 200, requestId: 'request-1', rateLimit: { remaining: 499 } });
  });

  it('that throw end the call', async () => {
    const { tenon, sent } = fakeServer([PRODUCT], {
      onRequest: () => {
        throw new Error('enough');
      },
    });
    await expect(tenon.products.get('p')).rejects.toThrow('enough');
    expect(sent).toEqual([]);
  });
});

describe('request', () => {
  it('sends a call that the client has no method for, with its token', async () => {
    const { tenon, sent } = fakeServer([json(200, { total: 3 })]);
    const { status, body } = await tenon.request('GET', '/apps/catalog/products', { query: { take: 1 } });
    expect([status, body]).toEqual([200, { total: 3 }]);
    expect(sent[0]?.headers.get('Authorization')).toBe('Bearer t1');
  });

  it.each([
    ['with a key', { key: 'k' }, 2],
    ['without a key', {}, 1],
  ])('sends a POST %s %j again only if it may', async (_case, options, attempts) => {
    const { tenon, sent } = fakeServer([empty(503, { 'Retry-After': '0' }), json(200, {})]);
    await tenon.request('POST', '/apps/media/imports', { body: { items: [] }, ...options }).catch(() => undefined);
    expect(sent).toHaveLength(attempts);
  });

  it('takes a path, not an address', async () => {
    const { tenon } = fakeServer([PRODUCT]);
    await expect(tenon.request('GET', 'https://other.example/')).rejects.toThrow('path must begin with a slash');
  });
});

it.each(['', '.', '..'])('the id %j is refused before anything is sent', async (id) => {
  const { tenon, sent, exchanges } = fakeServer([PRODUCT]);
  await expect(tenon.products.get(id)).rejects.toThrow(`${JSON.stringify(id)} is not an id`);
  expect([...sent, ...exchanges]).toEqual([]);
});

describe('the token store', () => {
  const kept = (first: Token | null) => {
    const saved: Token[] = [];
    return {
      saved,
      load: () => Promise.resolve(saved.at(-1) ?? first),
      save: (token: Token) => Promise.resolve(void saved.push(token)),
    };
  };

  it('is asked before the credentials are exchanged', async () => {
    const tokens = kept({ accessToken: 'kept', renewAt: Date.now() + 60_000 });
    const { tenon, exchanges, tokensUsed } = fakeServer([PRODUCT], { tokens });
    await tenon.products.get('p');
    expect([exchanges.length, tokensUsed(), tokens.saved]).toEqual([0, ['Bearer kept'], []]);
  });

  it('gets the new token in place of one that is old or refused', async () => {
    const tokens = kept({ accessToken: 'old', renewAt: Date.now() - 1 });
    const { tenon, exchanges, tokensUsed } = fakeServer([PRODUCT, empty(401), PRODUCT], { tokens });
    await tenon.products.get('p');
    await tenon.products.get('p');
    expect([exchanges.length, tokensUsed()]).toEqual([2, ['Bearer t1', 'Bearer t1', 'Bearer t2']]);
    expect(tokens.saved.map(({ accessToken }) => accessToken)).toEqual(['t1', 't2']);
  });
});

describe('forStore', () => {
  it('makes a client with the same options for the store of another domain', async () => {
    const requests: string[] = [];
    const attempts: number[] = [];
    const fetch: typeof globalThis.fetch = (input) => {
      requests.push(input as string);
      return Promise.resolve(Response.json({ accessToken: 't', expiresIn: 60, id: 'p' }));
    };
    const first = new Tenon({ ...CREDENTIALS, fetch, onRequest: ({ attempt }) => attempts.push(attempt) });
    await first.forStore('second.example').products.get('p');
    expect(requests).toEqual(['https://second.example/apps/token', 'https://second.example/apps/catalog/products/p']);
    expect(attempts).toEqual([1, 1]);
  });

  it.each([
    ['http://first.localhost:4000', 'second.localhost', 'http://second.localhost:4000'],
    ['http://first.localhost:4000', 'second.localhost:5000', 'http://second.localhost:5000'],
    ['https://first.example', 'SECOND.example', 'https://second.example'],
  ])('of %s, %s is at %s', async (store, domain, address) => {
    const tokens = { load: vi.fn(() => Promise.resolve(null)), save: vi.fn(() => Promise.resolve()) };
    const fetch = () => Promise.resolve(Response.json({ accessToken: 't', expiresIn: 60, id: 'p' }));
    await new Tenon({ ...CREDENTIALS, store, fetch, tokens }).forStore(domain).products.get('p');
    expect(tokens.load.mock.calls).toEqual([[address]]);
    expect(tokens.save.mock.calls).toEqual([[expect.objectContaining({ accessToken: 't' }), address]]);
  });

  it.each(['', 'https://second.example', 'second.example/apps', 'a@second.example', 'second.example?x'])(
    'takes a domain, not %j',
    (domain) => {
      expect(() => new Tenon(CREDENTIALS).forStore(domain)).toThrow('store must be the address of a store');
    },
  );
});

describe('the User-Agent', () => {
  it('names the client and the app', async () => {
    const { tenon, sent } = fakeServer([PRODUCT], { app: { name: 'search-index', version: '2.1' } });
    await tenon.products.get('p');
    expect(sent[0]?.headers.get('User-Agent')).toBe(`tenon-client/${manifest.version} search-index/2.1`);
  });

  it('has the version of package.json', () => {
    expect(VERSION).toBe(manifest.version);
  });

  it('takes no name that would break the header', () => {
    expect(() => new Tenon({ ...CREDENTIALS, app: { name: 'a\nb' } })).toThrow('app.name');
  });
});
