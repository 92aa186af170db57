import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { Tenon, type TenonError } from '../src/index.ts';
import { all, CREDENTIALS, fakeServer, json, type Answer } from './support/fake-server.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const failureOf = (work: Promise<unknown>): Promise<TenonError> =>
  work.then(
    () => expect.fail('it ended'),
    (error: unknown) => error as TenonError,
  );
const ndjson = (...values: unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const product = (id: string) => ({ product: { id }, after: `after ${id}` });

/** A page of every list at once, whose cursor leads to `next`. */
const page = (next: string): Answer => json(200, { items: [{ id: 'a' }], productIds: ['a'], total: 9, next, more: true });
const exported =
  (after: string): Answer =>
  () =>
    new Response(ndjson({ feed: 'f' }, { ...product('a'), after }, { more: true }));

type Lead = (next: string) => Answer;
type Walk = (tenon: Tenon) => AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>;
const WALKS: readonly (readonly [name: string, walk: Walk, answer: Lead])[] = [
  ['products.list', (tenon) => tenon.products.list(), page],
  ['products.export', async (tenon) => (await tenon.products.export()).products, exported],
  ['variants.bySku', (tenon) => tenon.variants.bySku(['s']), page],
  ['variants.byId', (tenon) => tenon.variants.byId(['i']), page],
  ['warehouses.list', (tenon) => tenon.warehouses.list(), page],
  ['metaobjects.list', (tenon) => tenon.metaobjects.list('t'), page],
  ['deliveries.list', (tenon) => tenon.deliveries.list(), page],
  ['events.follow', (tenon) => tenon.events.follow({ wait: 0 }), page],
  ['collections.productIds', (tenon) => tenon.collections.productIds('c'), page],
];

describe('a walk ends where the answers do not move on', () => {
  const lengthOf = async (walk: Walk, answers: readonly Answer[]): Promise<number> => {
    const { tenon, sent } = fakeServer(answers);
    expect(await failureOf((async () => all(await walk(tenon)))())).toMatchObject({ name: 'TenonError', code: 'no_progress' });
    return sent.length;
  };
  it.each(WALKS)('%s, at the same place', async (_name, walk, answer) => {
    expect(await lengthOf(walk, [answer('after a')])).toBeLessThanOrEqual(4);
  });
  it.each(WALKS.filter(([name]) => name !== 'collections.productIds'))('%s, in a circle', async (_name, walk, answer) => {
    const circle = Array.from({ length: 200 }, (_, n) => answer(`place ${String(n % 5)}`));
    expect(await lengthOf(walk, circle)).toBeLessThan(20);
  });

  it('each walk of the client is in this table', () => {
    const { tenon } = fakeServer([page('n')]);
    const parts = ['collections', 'deliveries', 'events', 'metaobjects', 'products', 'variants', 'warehouses'] as const;
    const GENERATOR = Object.getPrototypeOf(async function* () {
      await Promise.resolve();
      yield 0;
    }) as object;
    const named = WALKS.map(([name]) => name);
    for (const part of parts)
      for (const [name, { value }] of Object.entries(
        Object.getOwnPropertyDescriptors(Object.getPrototypeOf(tenon[part]) as object),
      ))
        if (Object.getPrototypeOf(value) === GENERATOR) expect(named).toContain(`${part}.${name}`);
  });

  it('events.follow, where the feed continues from the place that has expired', async () => {
    const expired = json(410, { code: 'cursor_expired', reason: 'history_changed', oldest: 'here' });
    const { tenon, sent } = fakeServer([expired]);
    expect(await failureOf(all(tenon.events.follow({ after: 'here' })))).toMatchObject({ code: 'no_progress' });
    expect(sent).toHaveLength(1);
  });
  it('and an end of the feed is not one: its cursor may stay', async () => {
    const empty = json(200, { items: [], next: 'here', more: false });
    const { tenon, sent } = fakeServer([empty, empty, empty, json(200, { items: [{ id: 'e' }], next: 'there', more: false })]);
    const follow = tenon.events.follow({ after: 'here' });
    expect((await follow.next()).value).toEqual({ id: 'e' });
    expect(sent).toHaveLength(4);
    await follow.return();
  });
});

describe('behind a proxy that hides a broken connection', () => {
  /** Real bytes over a real connection. The proxy passes some of them, and its end of the answer is clean. */
  const startProxy = async (pass: (text: string, request: number) => string, type = 'application/x-ndjson') => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const asked: string[] = [];
    const server = createServer((request, response) => {
      request.resume();
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
      if (pathname === '/apps/token') {
        response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ accessToken: 't', expiresIn: 3_600 }));
        return;
      }
      const after = searchParams.get('after') ?? '';
      asked.push(after);
      const rest = names.slice(names.indexOf(after.replace('after ', '')) + 1);
      const whole = ndjson({ feed: 'f' }, ...rest.map(product), { more: false });
      response.setHeader('Content-Type', type);
      response.write(pass(type === 'application/x-ndjson' ? whole : JSON.stringify({ items: names, next: null }), asked.length));
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const retries: number[] = [];
    const tenon = new Tenon({
      ...CREDENTIALS,
      store: `http://127.0.0.1:${String(port)}`,
      maxAttempts: 4,
      onRetry: ({ attempt }) => retries.push(attempt),
    });
    return { tenon, asked, retries, close: () => new Promise((resolve) => server.close(resolve)) };
  };
  const exportAll = async (tenon: Tenon) => {
    const { feed, products } = await tenon.products.export();
    return [feed, ...(await all(products)).map(({ product: { id } }) => id)];
  };
  const EVERYTHING = ['f', 'a', 'b', 'c', 'd', 'e'];
  const LENGTH = ndjson({ feed: 'f' }, ...EVERYTHING.slice(1).map(product), { more: false }).length;

  it('an export is whole, wherever its first answer ends', async () => {
    let length = 0;
    const { tenon, asked, close } = await startProxy((text, request) => (request === 1 ? text.slice(0, length) : text));
    for (; length < LENGTH; length += 1) {
      asked.length = 0;
      expect(await exportAll(tenon), String(length)).toEqual(EVERYTHING);
      // The end of the last line is not missed.
      expect(asked.length, String(length)).toBe(length === LENGTH - 1 ? 1 : 2);
    }
    await close();
  });
  it('an export continues behind the last product, if every answer ends early', async () => {
    const { tenon, asked, close } = await startProxy((text) => text.slice(0, 75));
    expect(await exportAll(tenon)).toEqual(EVERYTHING);
    expect(asked).toEqual(['', 'after a', 'after b', 'after c', 'after d']);
    await close();
  });
  it('an export waits before it continues behind an early end', async () => {
    const part =
      (...lines: unknown[]): Answer =>
      () =>
        new Response(ndjson({ feed: 'f' }, ...lines));
    const { tenon, sent } = fakeServer([part(product('a')), part(product('b')), part(product('c'), { more: false })]);
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    vi.useFakeTimers();
    try {
      const exported = exportAll(tenon);
      const counts: number[] = [];
      for (let n = 0; n < 3; n += 1) {
        await vi.advanceTimersByTimeAsync(0);
        counts.push(sent.length);
        await vi.advanceTimersToNextTimerAsync();
      }
      expect(counts).toEqual([1, 2, 3]);
      expect(await exported).toEqual(['f', 'a', 'b', 'c']);
    } finally {
      vi.useRealTimers();
    }
  });
  it('an export whose answers never have their last line fails after its attempts', async () => {
    const { tenon, asked, retries, close } = await startProxy((text) => text.replace('{"more":false}\n', ''));
    expect(await failureOf(exportAll(tenon))).toMatchObject({ code: 'incomplete', attempts: 4 });
    expect(asked).toEqual(['', ...Array.from({ length: 4 }, () => 'after e')]);
    expect(retries).toEqual([1, 2, 3]);
    await close();
  });
  it('a page of a list is read again', async () => {
    const { tenon, asked, close } = await startProxy(
      (text, n) => text.slice(0, n === 1 ? 9 : n === 2 ? 0 : undefined),
      'application/json',
    );
    expect(await all(tenon.products.list())).toEqual(EVERYTHING.slice(1));
    expect(asked).toHaveLength(3);
    await close();
  });
  it('what may not be sent twice is not, and the error says that the answer ended early', async () => {
    const { tenon, asked, close } = await startProxy((text) => text.slice(0, 9), 'application/json');
    const subscribing = tenon.subscriptions.create({ url: 'https://app.example/', eventTypes: ['product.updated'] });
    expect(await failureOf(subscribing)).toMatchObject({ code: 'incomplete', attempts: 1 });
    expect(asked).toHaveLength(1);
    await close();
  });
  it('a page of HTML is that of another server', async () => {
    const { tenon, asked, close } = await startProxy(() => '<html>', 'text/html');
    expect(await failureOf(all(tenon.products.list()))).toMatchObject({ code: 'unreadable', attempts: 1 });
    expect(asked).toHaveLength(1);
    await close();
  });
});
