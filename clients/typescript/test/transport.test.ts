import { afterEach, describe, expect, it, vi } from 'vitest';

import { Tenon, TenonError } from '../src/index.ts';
import { waitBefore } from '../src/retry.ts';
import { all, CREDENTIALS, cut, empty, fakeServer, json, type Answer } from './support/fake-server.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const PRODUCT = json(200, { id: 'p' }, { ETag: '"1"' });
const read = (tenon: Tenon) => tenon.products.get('p');
const bulk = (tenon: Tenon) => all(tenon.products.bulkUpdate([{ id: 'p' }], { key: 'k' }));
const failureOf = async (work: Promise<unknown>): Promise<TenonError> => {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(TenonError);
  return error as TenonError;
};

describe('the token', () => {
  it('is exchanged once for calls that begin together, as a form', async () => {
    const { tenon, exchanges, tokensUsed } = fakeServer([PRODUCT]);
    await Promise.all([read(tenon), read(tenon), read(tenon)]);
    await read(tenon);
    expect(exchanges.map(({ body, method }) => [method, body])).toEqual([
      ['POST', 'grant_type=client_credentials&client_id=tnn_cid_1&client_secret=tnn_cs_1'],
    ]);
    expect(exchanges[0]?.headers.get('Content-Type')).toBe('application/x-www-form-urlencoded');
    expect(new Set(tokensUsed())).toEqual(new Set(['Bearer t1']));
  });

  it('is renewed once for all calls that it refuses', async () => {
    const answer: Answer = ({ headers }) =>
      headers.get('Authorization') === 'Bearer t1' ? new Response(null, { status: 401 }) : PRODUCT({} as never);
    const { tenon, exchanges } = fakeServer([answer]);
    await Promise.all([read(tenon), read(tenon), read(tenon)]);
    expect(exchanges).toHaveLength(2);
  });

  it('is renewed when nine tenths of its life are over', async () => {
    const { tenon, exchanges, tokensUsed } = fakeServer([PRODUCT]);
    const now = vi.spyOn(Date, 'now').mockReturnValue(0);
    await read(tenon);
    now.mockReturnValue(3_239_999);
    await read(tenon);
    expect(exchanges).toHaveLength(1);
    now.mockReturnValue(3_240_000);
    await read(tenon);
    expect(tokensUsed()).toEqual(['Bearer t1', 'Bearer t1', 'Bearer t2']);
  });

  it('that is refused again after its renewal ends the call with 401', async () => {
    const { tenon, exchanges } = fakeServer([empty(401)]);
    expect(await failureOf(read(tenon))).toMatchObject({ status: 401, code: 'unauthenticated', attempts: 2 });
    expect(exchanges).toHaveLength(2);
  });

  it('whose exchange is refused ends every waiting call, and the next call tries again', async () => {
    const { tenon, exchanges } = fakeServer([PRODUCT], {}, [empty(401)]);
    const errors = await Promise.all([failureOf(read(tenon)), failureOf(read(tenon))]);
    expect(errors.map(({ message }) => message)).toEqual(
      Array(2).fill(expect.stringMatching(/^POST \/apps\/token: 401 .*The client id or the client secret is wrong/)),
    );
    expect((await read(tenon)).product.id).toBe('p');
    expect(exchanges).toHaveLength(2);
  });

  it('is exchanged again after a lost connection, a 5xx and a 429', async () => {
    const { tenon } = fakeServer([PRODUCT], {}, [cut, empty(503), empty(429, { 'Retry-After': '0' })]);
    expect((await read(tenon)).etag).toBe('"1"');
  });

  it('is not ended by the signal of one of the calls that wait for it', async () => {
    let release = (): void => undefined;
    const held: Answer = async () => {
      await new Promise<void>((resolve) => (release = resolve));
      return new Response(JSON.stringify({ accessToken: 't1', expiresIn: 3_600 }));
    };
    const { tenon, exchanges } = fakeServer([PRODUCT], {}, [held]);
    const controller = new AbortController();
    const aborted = tenon.products.get('p', { signal: controller.signal });
    const other = read(tenon);
    controller.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    release();
    expect((await other).product.id).toBe('p');
    expect(exchanges).toHaveLength(1);
  });

  it('is waited for as long as a 429 says, up to two minutes, because all stores of an app share its limit', async () => {
    vi.useFakeTimers();
    const { tenon, exchanges } = fakeServer([PRODUCT], { maxAttempts: 3 }, [empty(429, { 'Retry-After': '120' })]);
    const answers: unknown[] = [];
    void read(tenon).then(
      ({ product }) => answers.push(product.id),
      (error: unknown) => answers.push(error),
    );
    await vi.advanceTimersByTimeAsync(119_999);
    expect([exchanges.length, answers]).toEqual([1, []]);
    await vi.advanceTimersByTimeAsync(1);
    expect([exchanges.length, answers]).toEqual([2, ['p']]);
  });

  it('is not waited for longer than that, or than maxWait', async () => {
    const busy = (seconds: string) => [empty(429, { 'Retry-After': seconds })];
    const { tenon } = fakeServer([PRODUCT], {}, busy('121'));
    expect(await failureOf(read(tenon))).toMatchObject({ status: 429, code: 'http_429', attempts: 1 });
    vi.useFakeTimers();
    const patient = fakeServer([PRODUCT], { maxWait: 180_000 }, busy('180'));
    const reading = read(patient.tenon);
    await vi.advanceTimersByTimeAsync(180_000);
    expect((await reading).product.id).toBe('p');
  });
});

describe('the wait of a call for the token', () => {
  /** Tokens come when the test says so. */
  const held = () => {
    let release = (): void => undefined;
    const answer: Answer = async () => {
      await new Promise<void>((resolve) => (release = resolve));
      return new Response(JSON.stringify({ accessToken: 't1', expiresIn: 3_600 }));
    };
    return { ...fakeServer([PRODUCT], {}, [answer, answer, answer]), release: () => release() };
  };

  it.each([
    ['timeout', { timeout: 100 }, 800],
    ['maxAttempts', { maxAttempts: 2 }, 60_000],
    ['both', { timeout: 100, maxAttempts: 2 }, 200],
  ])('ends when its attempts would have, by its own %s', async (_, options, most) => {
    vi.useFakeTimers();
    const { tenon } = held();
    const failed = vi.fn();
    tenon.products.get('p', options).catch(failed);
    await vi.advanceTimersByTimeAsync(most - 1);
    expect(failed).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    const message = 'GET /apps/catalog/products/p: no token came in time.';
    expect(failed).toHaveBeenCalledWith(expect.objectContaining({ name: 'TenonError', code: 'timeout', status: null, message }));
  });

  it('ends for this call alone: the exchange continues for the others', async () => {
    const { tenon, exchanges, sent, release } = held();
    const { signal } = new AbortController();
    const [added, removed] = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')];
    const other = read(tenon);
    const short = tenon.products.get('p', { signal, timeout: 5, maxAttempts: 1 });
    expect(await failureOf(short)).toMatchObject({ code: 'timeout' });
    expect(added).toHaveBeenCalled();
    expect(removed.mock.calls).toEqual(added.mock.calls);
    release();
    expect((await other).product.id).toBe('p');
    expect([exchanges.length, sent.length]).toEqual([1, 1]);
  });

  it('leaves no rejection behind when the exchange fails later', async () => {
    const unhandled = vi.fn();
    process.once('unhandledRejection', unhandled);
    let fail = (): void => undefined;
    const answer: Answer = () => new Promise((resolve) => (fail = () => resolve(new Response(null, { status: 401 }))));
    const { tenon } = fakeServer([PRODUCT], {}, [answer]);
    await failureOf(tenon.products.get('p', { timeout: 5, maxAttempts: 1 }));
    fail();
    await new Promise((resolve) => setTimeout(resolve, 5));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it('without options of its own is that of the exchange', async () => {
    vi.useFakeTimers();
    const { tenon, release } = held();
    const reading = read(tenon);
    await vi.advanceTimersByTimeAsync(29_000);
    release();
    expect((await reading).product.id).toBe('p');
  });
});

describe('a call is sent again', () => {
  it.each<[string, Answer]>([
    ['a lost connection', cut],
    ['500', json(500, { error: 'x', code: 'internal_error' })],
    ['503', empty(503)],
    ['429', empty(429, { 'Retry-After': '0' })],
  ])('after %s, when it is a GET', async (_, answer) => {
    const { tenon, sent } = fakeServer([answer, answer, PRODUCT]);
    expect((await read(tenon)).product.id).toBe('p');
    expect(sent).toHaveLength(3);
  });

  it('with the same bytes and the same key, when it is a POST with a key', async () => {
    const done = json(200, { results: [] });
    const running = json(409, { error: 'x', code: 'idempotency_in_progress' }, { 'Retry-After': '0' });
    const { tenon, sent } = fakeServer([cut, empty(502), running, done]);
    await bulk(tenon);
    expect(sent).toHaveLength(4);
    expect(new Set(sent.map(({ body, headers }) => `${headers.get('Idempotency-Key') ?? ''} ${body}`))).toEqual(
      new Set(['k/0 {"products":[{"id":"p"}]}']),
    );
  });

  it('after 429, when it is a POST without a key, because nothing was done', async () => {
    const { tenon, sent } = fakeServer([empty(429, { 'Retry-After': '0' }), empty(202)]);
    await tenon.subscriptions.ping('s');
    expect(sent).toHaveLength(2);
  });
});

describe('a call is not sent again', () => {
  it.each<[string, Answer]>([
    ['a lost connection', cut],
    ['500', empty(500)],
  ])('after %s, when it is a POST without a key', async (_, answer) => {
    const { tenon, sent } = fakeServer([answer]);
    expect(await failureOf(tenon.deliveries.redeliver('d'))).toMatchObject({ attempts: 1 });
    expect(sent).toHaveLength(1);
  });

  it.each([
    [400, { error: 'name is wrong' }, 'invalid'],
    [404, { error: 'Product not found', code: 'not_found' }, 'not_found'],
    [409, { error: 'x', code: 'idempotency_not_replayable' }, 'idempotency_not_replayable'],
    [422, { error: 'x', code: 'idempotency_key_reused' }, 'idempotency_key_reused'],
  ])('after %i', async (status, body, code) => {
    const { tenon, sent } = fakeServer([json(status, body)]);
    expect(await failureOf(bulk(tenon))).toMatchObject({ status, code, attempts: 1, requestId: 'request-1', body });
    expect(sent).toHaveLength(1);
  });

  it('after as many attempts as allowed', async () => {
    const { tenon, sent } = fakeServer([cut], { maxAttempts: 3 });
    const error = await failureOf(read(tenon));
    expect(error).toMatchObject({ status: null, code: 'no_response', attempts: 3, requestId: null });
    expect(error.cause).toBeInstanceOf(TypeError);
    expect(sent).toHaveLength(3);
  });

  it('when the server wants a longer pause than allowed', async () => {
    const { tenon, sent } = fakeServer([empty(429, { 'Retry-After': '31' })]);
    expect(await failureOf(read(tenon))).toMatchObject({ status: 429, attempts: 1 });
    expect(sent).toHaveLength(1);
  });

  it('elsewhere, where the server redirects', async () => {
    const { tenon } = fakeServer([empty(308, { Location: 'https://other.example/' })]);
    expect((await failureOf(read(tenon))).message).toContain('redirects to https://other.example/');
  });
});

describe('the pause before the next attempt', () => {
  const reply = (headers = {}) => ({ status: 503, headers: new Headers(headers), text: '' });

  it('is what Retry-After says, in seconds or as a date', () => {
    vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-01-01T00:00:00Z'));
    expect(waitBefore(reply({ 'Retry-After': '7' }), 1, 30_000)).toBe(7_000);
    expect(waitBefore(reply({ 'Retry-After': 'Thu, 01 Jan 2026 00:00:09 GMT' }), 1, 30_000)).toBe(9_000);
    expect(waitBefore(reply({ 'Retry-After': 'Thu, 01 Jan 2015 00:00:00 GMT' }), 1, 30_000)).toBe(0);
  });

  it('is random below a bound that doubles, at most maxWait', () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    expect([1, 2, 3, 20].map((attempts) => waitBefore(reply(), attempts, 30_000))).toEqual([250, 500, 1_000, 15_000]);
  });
});

describe('an error', () => {
  it('names the call, the status and the reason, and holds no secret', async () => {
    const { tenon } = fakeServer([json(404, { error: 'Product not found', code: 'not_found' })]);
    const error = await failureOf(read(tenon));
    expect(error.message).toBe('GET /apps/catalog/products/p: 404 Product not found');
    expect(JSON.stringify([error, error.message, error.stack])).not.toMatch(/tnn_cs_1|Bearer|t1"/);
  });

  it('has the faults of a metaobject entry by their fields', async () => {
    const problem = { detail: 'The entry is invalid.', code: 'invalid', errors: { 'fields.hex': ['must be a color'] } };
    const { tenon } = fakeServer([json(400, problem)]);
    expect(await failureOf(tenon.metaobjects.put('color', 'linen', { fields: {} }))).toMatchObject({
      message: 'PUT /custom-data/metaobjects/color/entries/linen: 400 The entry is invalid.',
      errors: { 'fields.hex': ['must be a color'] },
    });
  });

  it('of refused credentials names the usual causes first, and the request to ask for', async () => {
    const refused = async (headers: Record<string, string>) =>
      (await failureOf(read(fakeServer([PRODUCT], {}, [empty(401, headers)]).tenon))).message;
    const causes = 'POST /apps/token: 401 The client id or the client secret is wrong or of another store or server';
    const known = await refused({ 'X-Request-Id': 'r1' });
    expect(known.startsWith(causes)).toBe(true);
    expect(known).toMatch(/tenon requests why r1$/);
    expect(await refused({})).toContain('this may not be a Tenon server');
  });

  it('of a token that is refused though it is new does not blame the credentials', async () => {
    const { message } = await failureOf(read(fakeServer([empty(401, { 'X-Request-Id': 'r2' })]).tenon));
    expect(message).toMatch(/401 The token is not accepted: .* tenon requests why r2$/);
  });

  it.each([300, 400, 401, 403, 404, 405, 418, 500, 502, 503])(
    '%i without a body says what happened and what to do',
    async (status) => {
      const { message } = await failureOf(read(fakeServer([empty(status)], { maxAttempts: 1 }).tenon));
      expect(message).toMatch(new RegExp(`: ${status} [A-Z].+\\.`));
      expect(message).not.toContain('undefined');
    },
  );

  it('of a missing scope names the scope', async () => {
    const { tenon } = fakeServer([
      empty(403, { 'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="write_products"' }),
    ]);
    expect(await failureOf(bulk(tenon))).toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('403 The installation lacks the scope write_products. Ask the merchant to grant it.'),
    });
  });

  it.each(['<html>', '[]', 'null', ''])('of a proxy that answers %s has a code as well', async (text) => {
    const { tenon } = fakeServer([() => new Response(text, { status: 418 })]);
    expect(await failureOf(read(tenon))).toMatchObject({ status: 418, code: 'http_418', body: {} });
  });

  it('says so when a success is not JSON', async () => {
    const { tenon } = fakeServer([() => new Response('<html>', { status: 200 })]);
    expect(await failureOf(read(tenon))).toMatchObject({ status: 200, code: 'unreadable' });
  });
});

describe('time and abort', () => {
  const hang = (_input: unknown, init?: RequestInit): Promise<Response> =>
    new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error)));

  it('an attempt that takes too long is a timeout, and is sent again', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const tenon = new Tenon({ ...CREDENTIALS, fetch: hang, timeout: 5, maxAttempts: 2 });
    expect(await failureOf(read(tenon))).toMatchObject({ code: 'timeout', status: null, attempts: 2 });
  });

  it('an attempt ends in time though a fetch of your own does not look at its signal', async () => {
    const { tenon } = fakeServer([() => new Promise(() => undefined)], { timeout: 5, maxAttempts: 1 });
    expect(await failureOf(read(tenon))).toMatchObject({
      code: 'timeout',
      message: 'GET /apps/catalog/products/p: The server did not answer in time.',
    });
  });

  it('a time limit of Infinity ends nothing', async () => {
    const slow: Answer = () => new Promise((resolve) => setTimeout(() => resolve(PRODUCT({} as never) as Response), 5));
    const { tenon } = fakeServer([slow], { timeout: Infinity, maxAttempts: 1 });
    expect((await read(tenon)).product.id).toBe('p');
  });

  it('a signal ends a pause, with its reason', async () => {
    const controller = new AbortController();
    const { tenon } = fakeServer([
      () => {
        setTimeout(() => controller.abort(new Error('enough')), 1);
        return new Response(null, { status: 429, headers: { 'Retry-After': '20' } });
      },
    ]);
    await expect(tenon.products.get('p', { signal: controller.signal })).rejects.toThrow('enough');
  });

  it('a signal that is aborted already sends nothing', async () => {
    const { tenon, sent } = fakeServer([PRODUCT]);
    await expect(tenon.products.get('p', { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
    expect(sent).toEqual([]);
  });

  it('a signal keeps no listener of calls that have ended', async () => {
    const { signal } = new AbortController();
    const [added, removed] = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')];
    const { tenon } = fakeServer([empty(429, { 'Retry-After': '0' }), PRODUCT]);
    await tenon.products.get('p', { signal });
    expect(added.mock.calls.length).toBeGreaterThan(2);
    expect(removed.mock.calls).toEqual(added.mock.calls);
  });
});

describe('a client', () => {
  it.each(['not a url', 'ftp://shop.example', 'https://shop.example/apps', 'https://a:b@shop.example', 'https://shop.example?x'])(
    'is not made for the store %s',
    (store) => {
      expect(() => new Tenon({ ...CREDENTIALS, store })).toThrow(TypeError);
    },
  );

  it('is not made without credentials', () => {
    expect(() => new Tenon({ ...CREDENTIALS, clientSecret: '' })).toThrow('clientId and clientSecret are required');
  });

  it('is not made in a browser, where everybody could read the secret', () => {
    vi.stubGlobal('window', globalThis);
    vi.stubGlobal('document', {});
    expect(() => new Tenon(CREDENTIALS)).toThrow('not in a browser');
    vi.unstubAllGlobals();
  });
});
