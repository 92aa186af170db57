import { afterEach, describe, expect, expectTypeOf, it, vi } from 'vitest';

import { Tenon, TenonError, type ProductField, type ProductListItem } from '../src/index.ts';
import { all, CREDENTIALS, cut, empty, fakeServer, json, type Answer } from './support/fake-server.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Pages of a list whose content may change between the requests. */
const pages =
  (list: () => readonly string[]): Answer =>
  (request) => {
    const skip = Number(request.query.get('skip'));
    const ids = list();
    const productIds = ids.slice(skip, skip + Number(request.query.get('take')));
    return new Response(JSON.stringify({ productIds, total: ids.length }));
  };
const names = (count: number): string[] => Array.from({ length: count }, (_, n) => `p${String(n)}`);

describe('metaobjects.list', () => {
  it('reads the pages behind one another, by the cursor of each', async () => {
    const page = (handles: readonly string[], next: string | null) =>
      json(200, { items: handles.map((handle) => ({ handle })), next });
    const { tenon, sent } = fakeServer([page(['a', 'b'], 'first'), page([], 'second'), page(['c'], null)]);
    const listed = await all(tenon.metaobjects.list('a type', { product: 'p1' }));
    expect(listed.map(({ handle }) => handle)).toEqual(['a', 'b', 'c']);
    expect(sent.map(({ query }) => query.toString())).toEqual([
      'take=250&product=p1',
      'take=250&product=p1&after=first',
      'take=250&product=p1&after=second',
    ]);
  });
});

describe('metaobjects.delete', () => {
  it('a 404 after an attempt without an answer is a success, and any other is not', async () => {
    await fakeServer([cut, json(404, { code: 'not_found' })]).tenon.metaobjects.delete('t', 'h');
    const { tenon, sent } = fakeServer([json(404, { code: 'not_found' })]);
    await expect(tenon.metaobjects.delete('t', 'h', { ifMatch: '"tag"' })).rejects.toMatchObject({ code: 'not_found' });
    expect(sent[0]?.headers.get('If-Match')).toBe('"tag"');
  });
});

describe('products.list', () => {
  const page = (ids: readonly string[], next: string | null) => json(200, { items: ids.map((id) => ({ id })), total: 3, next });

  it('reads the pages behind one another, by the cursor of each, and only when they are needed', async () => {
    const { tenon, sent } = fakeServer([page(['a', 'b'], 'n1'), page([], 'n2'), page(['c'], null)]);
    const list = tenon.products.list({ q: 'saw & plane', status: 'Active', tag: undefined, fields: ['id'], ids: ['a', 'b'] });
    expect((await list.next()).value).toEqual({ id: 'a' });
    expect(sent).toHaveLength(1);
    expect((await all(list)).map(({ id }) => id)).toEqual(['b', 'c']);
    const filter = 'take=250&q=saw+%26+plane&status=Active&fields=id&ids=a&ids=b';
    expect(sent.map(({ query }) => query.toString())).toEqual([`${filter}&after=`, `${filter}&after=n1`, `${filter}&after=n2`]);
  });

  it('gives of each product the fields that it asks for', () => {
    const { tenon } = fakeServer([page([], null)]);
    expectTypeOf(tenon.products.list({ fields: ['id', 'name'] })).toEqualTypeOf<
      AsyncGenerator<Pick<ProductListItem, 'id' | 'name'>, void>
    >();
    expectTypeOf(tenon.products.list({ q: 'saw' })).toEqualTypeOf<AsyncGenerator<Pick<ProductListItem, ProductField>, void>>();
  });

  it('continues behind a page', async () => {
    const { tenon, sent } = fakeServer([page(['a'], 'n1'), page(['b'], null)]);
    const { items, total, next } = await tenon.products.page({ take: 1 });
    expect([items, total, next]).toEqual([[{ id: 'a' }], 3, 'n1']);
    expect((await all(tenon.products.list({ after: next ?? '' }))).map(({ id }) => id)).toEqual(['b']);
    expect(sent.map(({ query }) => query.toString())).toEqual(['take=1&after=', 'take=250&after=n1']);
  });
});

describe('products.list by cursors', () => {
  it('with fields or a place, reads the pages behind one another by their cursors', async () => {
    const page = (ids: readonly string[], next: string | null) => json(200, { items: ids.map((id) => ({ id })), next });
    const { tenon, sent } = fakeServer([page(['a', 'b'], 'first'), page([], 'second'), page(['c'], null), page(['d'], null)]);
    const listed = await all(tenon.products.list({ fields: ['id', 'name'], ids: ['p1', 'p2'] }));
    expect(listed.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect((await all(tenon.products.list({ after: 'place' }))).map(({ minPrice, id }) => [id, minPrice])).toEqual([
      ['d', undefined],
    ]);
    for (const { query } of sent) query.sort();
    const query = 'fields=id&fields=name&ids=p1&ids=p2&take=250';
    expect(sent.map(({ query: of }) => of.toString())).toEqual([
      `after=&${query}`,
      `after=first&${query}`,
      `after=second&${query}`,
      'after=place&take=250',
    ]);
  });

  it('says that a server is too old to have cursors, which would answer its first page for ever', async () => {
    const { tenon } = fakeServer([json(200, { items: [{ id: 'a' }], total: 600 })]);
    await expect(all(tenon.products.list())).rejects.toThrow('older than the client');
  });
});

describe('collections.productIds', () => {
  const listed = async (answer: Answer) => {
    const server = fakeServer([answer]);
    return { ids: await all(server.tenon.collections.productIds('c')), sent: server.sent };
  };

  it.each([0, 1, 249, 250, 251, 500, 1_000])('gives all of %i products, each once', async (count) => {
    const { ids } = await listed(pages(() => names(count)));
    expect(ids).toEqual(names(count));
  });

  it('begins each page with the last product of the page before', async () => {
    const { sent } = await listed(pages(() => names(600)));
    expect(sent.map(({ query }) => query.get('skip'))).toEqual(['0', '249', '498']);
    expect(sent[0]?.path).toBe('/apps/catalog/collections/c/products');
  });

  it('reads a page only when it is needed', async () => {
    const { tenon, sent } = fakeServer([pages(() => names(600))]);
    for await (const id of tenon.collections.productIds('c')) if (id === 'p10') break;
    expect(sent).toHaveLength(1);
  });

  it.each([
    ['one before the place of the walk', (id: string) => id === 'p3'],
    ['a whole page', (id: string) => Number(id.slice(1)) < 250],
    ['the last that it gave', (id: string) => id === 'p249'],
    ['many, the last that it gave included', (id: string) => Number(id.slice(1)) > 100 && Number(id.slice(1)) < 250],
  ])('misses none and gives none twice when products are removed meanwhile: %s', async (_, isRemoved) => {
    let reads = 0;
    const { ids } = await listed(
      pages(() => {
        reads += 1;
        return reads > 1 ? names(900).filter((id) => !isRemoved(id)) : names(900);
      }),
    );
    expect(ids).toEqual(expect.arrayContaining(names(900).filter((id) => !isRemoved(id))));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('gives none twice when a product is added before its place', async () => {
    let reads = 0;
    const { ids } = await listed(pages(() => ((reads += 1) > 1 ? ['new', ...names(600)] : names(600))));
    expect(ids).toEqual(names(600));
  });

  it('ends when everything is removed meanwhile', async () => {
    let reads = 0;
    const { ids } = await listed(() =>
      json(200, (reads += 1) > 1 ? { productIds: [], total: 0 } : { productIds: names(250), total: 600 })({} as never),
    );
    expect(ids).toEqual(names(250));
  });
});

describe('products.get', () => {
  it('gives the product and its ETag; null when the ETag still matches', async () => {
    const { tenon, sent } = fakeServer([json(200, { id: 'p' }, { ETag: '"1"' }), empty(304)]);
    const first = await tenon.products.get('p');
    expect(first).toEqual({ product: { id: 'p' }, etag: '"1"' });
    expect(await tenon.products.get('p', { etag: first.etag })).toBeNull();
    expect(sent.map(({ headers }) => headers.get('If-None-Match'))).toEqual([null, '"1"']);
  });

  it('escapes the id', async () => {
    const { tenon, sent } = fakeServer([json(200, {})]);
    await tenon.products.get('../token?x');
    expect(sent[0]?.path).toBe('/apps/catalog/products/..%2Ftoken%3Fx');
  });
});

describe('products.export', () => {
  const lines = (...values: unknown[]) => new Response(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
  const line = (id: string) => ({ product: { id }, after: `after ${id}` });
  const exporting: Answer = ({ query }) =>
    query.get('after') === null
      ? lines({ feed: 'first' }, line('a'), line('b'), { more: true })
      : lines({ feed: 'later' }, line('c'), { more: false });

  it('gives the feed of the first part and all products, and reads a part only when it is needed', async () => {
    const { tenon, sent } = fakeServer([exporting]);
    const { feed, products } = await tenon.products.export();
    expect(feed).toBe('first');
    expect((await products.next()).value).toEqual(line('a'));
    expect(sent).toHaveLength(1);
    expect(await all(products)).toEqual([line('b'), line('c')]);
    expect(sent.map(({ query }) => query.toString())).toEqual(['take=100', 'after=after+b&take=100']);
  });

  it('continues an export, and a part that is cut is read again', async () => {
    const { tenon } = fakeServer([cut, exporting]);
    const { products } = await tenon.products.export({ after: 'after b' });
    expect(await all(products)).toEqual([line('c')]);
  });
});

describe('variants.bulkUpdate', () => {
  const update: Answer = ({ body }) => {
    const { variants } = JSON.parse(body) as { variants: { sku: string }[] };
    return new Response(JSON.stringify({ results: variants.map(({ sku }) => ({ id: sku, status: 'Updated' })) }));
  };
  const sizes = async (stocks: readonly number[]) => {
    const { tenon, sent } = fakeServer([update]);
    const changes = stocks.map((count, n) => ({
      sku: `s${String(n)}`,
      stock: Array.from({ length: count }, () => ({ adjust: 1 })),
    }));
    const results = await all(tenon.variants.bulkUpdate(changes, { key: 'k' }));
    expect(results.map(({ id }) => id)).toEqual(changes.map(({ sku }) => sku));
    expect(sent.map(({ headers }) => headers.get('Idempotency-Key'))).toEqual(sent.map((_, n) => `k/${String(n)}`));
    return sent.map(({ body }) => (JSON.parse(body) as { variants: unknown[] }).variants.length);
  };

  it('sends requests of 250', async () => {
    expect(await sizes(Array.from({ length: 600 }, () => 1))).toEqual([250, 250, 100]);
  });
  it('sends requests of at most 1,000 stocks', async () => {
    expect(await sizes([600, 400, 1, 999, 1_000, 1_001, 1])).toEqual([2, 2, 1, 1, 1]);
  });
});

describe('variants', () => {
  const named: Answer = ({ query }) =>
    new Response(JSON.stringify({ items: query.getAll('sku').concat(query.getAll('ids')), next: null }));
  it('are found by SKU or by id, in requests of 50', async () => {
    const { tenon, sent } = fakeServer([named]);
    expect(await all(tenon.variants.bySku(names(120)))).toEqual(names(120));
    expect(await all(tenon.variants.byId(['a']))).toEqual(['a']);
    expect(sent.map(({ query }) => query.size)).toEqual([51, 51, 21, 2]);
  });
  it('with the same SKU may fill several pages', async () => {
    const paged: Answer = ({ query }) =>
      new Response(JSON.stringify(query.get('after') === null ? { items: ['a'], next: 'n' } : { items: ['b'], next: null }));
    const { tenon, sent } = fakeServer([paged]);
    expect(await all(tenon.variants.bySku(['x']))).toEqual(['a', 'b']);
    expect(sent.map(({ query }) => query.get('after'))).toEqual([null, 'n']);
  });
});

describe('products.bulkUpdate', () => {
  const update: Answer = ({ body, headers }) => {
    const { products } = JSON.parse(body) as { products: { id: string }[] };
    const replay = headers.get('Idempotency-Key') === 'k/0' ? { 'Idempotent-Replay': 'true' } : undefined;
    return new Response(JSON.stringify({ results: products.map(({ id }) => ({ id, status: 'Updated' })) }), {
      headers: replay ?? {},
    });
  };

  it('sends requests of 250 with derived keys, and gives the results in order with what was replayed', async () => {
    const { tenon, sent } = fakeServer([update]);
    const changes = names(600).map((id) => ({ id, metaTitle: 'x' }));
    const results = await all(tenon.products.bulkUpdate(changes, { key: 'k' }));
    expect(results.map(({ id }) => id)).toEqual(names(600));
    expect(results.filter(({ replayed }) => replayed)).toHaveLength(250);
    expect(sent.map(({ headers }) => headers.get('Idempotency-Key'))).toEqual(['k/0', 'k/1', 'k/2']);
  });

  it('takes changes as they come, and sends nothing before it is iterated', async () => {
    const { tenon, sent } = fakeServer([update]);
    const source = async function* () {
      yield* names(251).map((id) => ({ id }));
    };
    const results = tenon.products.bulkUpdate(source(), { key: 'k' });
    expect(sent).toHaveLength(0);
    expect(await all(results)).toHaveLength(251);
  });

  it('sends nothing for no changes', async () => {
    const { tenon, sent } = fakeServer([update]);
    expect(await all(tenon.products.bulkUpdate([], { key: 'k' }))).toEqual([]);
    expect(sent).toEqual([]);
  });
});

describe('media.import', () => {
  const state = (status: string) => json(200, { importId: 'i', status, items: [] });

  it('gives the import as it begins, and as it ended', async () => {
    vi.useFakeTimers();
    const { tenon, sent } = fakeServer([
      json(202, { importId: 'i', status: 'Queued', items: [] }),
      state('Running'),
      state('Failed'),
    ]);
    const run = tenon.media.import([{ sourceUrl: 'https://images.example/1.jpg', productId: 'p' }], { key: 'k' });
    expect((await run).status).toBe('Queued');
    const completed = run.completed();
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await completed).status).toBe('Failed');
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /apps/media/imports',
      'GET /apps/media/imports/i',
      'GET /apps/media/imports/i',
    ]);
    expect(sent[0]?.headers.get('Idempotency-Key')).toBe('k');
  });

  it('rejects with timeout when the end takes too long', async () => {
    const { tenon } = fakeServer([state('Running')]);
    const late = tenon.media.import([], { key: 'k' }).completed({ timeout: 1 });
    await expect(late).rejects.toMatchObject({ name: 'TenonError', code: 'timeout', status: null });
  });

  it('ends a read that hangs at the deadline, and not after its own attempts', async () => {
    vi.useFakeTimers();
    const signals: (AbortSignal | null | undefined)[] = [];
    const hang = (init?: RequestInit): Promise<Response> => {
      signals.push(init?.signal);
      return new Promise(() => undefined);
    };
    const begun = { accessToken: 't', expiresIn: 60, importId: 'i', status: 'Running', items: [] };
    const fetch: typeof globalThis.fetch = (_input, init) =>
      init?.method === 'GET' ? hang(init) : Promise.resolve(Response.json(begun));
    const failed = vi.fn();
    const tenon = new Tenon({ ...CREDENTIALS, fetch });
    tenon.media.import([], { key: 'k' }).completed({ timeout: 10_000 }).catch(failed);
    await vi.advanceTimersByTimeAsync(9_999);
    expect([failed.mock.calls, signals.map((signal) => signal?.aborted)]).toEqual([[], [false]]);
    await vi.advanceTimersByTimeAsync(1);
    const message = 'The import i did not end within 10000 ms, and continues.';
    expect(failed).toHaveBeenCalledWith(expect.objectContaining({ code: 'timeout', message }));
    expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
  });

  it('ends at the deadline though the request of the import is not answered', async () => {
    const { tenon } = fakeServer([() => new Promise(() => undefined)]);
    const late = tenon.media.import([], { key: 'k' }).completed({ timeout: 5 });
    await expect(late).rejects.toMatchObject({ code: 'timeout', message: expect.stringContaining('that was requested') });
  });

  it('rejects with the reason of a signal, and leaves no other rejection', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    const { tenon } = fakeServer([state('Running')]);
    await expect(tenon.media.import([], { key: 'k', signal }).completed({ signal })).rejects.toThrow('enough');
  });
});

describe('subscriptions.delete', () => {
  it('is done when a repeated request finds nothing, because the answer of the first was lost', async () => {
    const { tenon, sent } = fakeServer([cut, json(404, { error: 'x', code: 'not_found' })]);
    await tenon.subscriptions.delete('s');
    expect(sent.map(({ method }) => method)).toEqual(['DELETE', 'DELETE']);
  });

  it('fails when the first request finds nothing', async () => {
    const { tenon } = fakeServer([json(404, { error: 'x', code: 'not_found' })]);
    await expect(tenon.subscriptions.delete('s')).rejects.toBeInstanceOf(TenonError);
  });
});

describe('deliveries.list', () => {
  it('follows next to the end, also over an empty page, with its filter', async () => {
    const page = (items: string[], next: string | null) => json(200, { items: items.map((id) => ({ id })), next });
    const { tenon, sent } = fakeServer([page(['a'], 'n1'), page([], 'n2'), page(['b'], null)]);
    const ids = (await all(tenon.deliveries.list({ status: ['Failed', 'Waiting'] }))).map(({ id }) => id);
    expect(ids).toEqual(['a', 'b']);
    expect(sent.map(({ query }) => query.toString())).toEqual([
      'take=250&status=Failed&status=Waiting',
      'take=250&status=Failed&status=Waiting&after=n1',
      'take=250&status=Failed&status=Waiting&after=n2',
    ]);
  });
});

describe('events.follow', () => {
  const page = (ids: string[], next: string, more = false) =>
    json(200, { items: ids.map((id) => ({ id, type: 'ping' })), next, more });

  it('saves a cursor once all events before it are taken, and ends when it has caught up with wait 0', async () => {
    const { tenon, sent } = fakeServer([page(['1', '2'], 'c2', true), page([], 'c5')]);
    const log: string[] = [];
    for await (const { id } of tenon.events.follow({ after: 'c0', wait: 0, save: (cursor) => log.push(cursor) })) log.push(id);
    expect(log).toEqual(['1', '2', 'c2', 'c5']);
    expect(sent.map(({ query }) => query.get('after'))).toEqual(['c0', 'c2']);
  });

  it('gives the traceparent of an event that has one', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const item = { id: '1', type: 'product.updated', timestamp: '', storeId: '', data: { id: 'p' }, traceparent };
    const { tenon } = fakeServer([json(200, { items: [item], next: 'a', more: false })]);
    const [event] = await all(tenon.events.follow({ wait: 0 }));
    expectTypeOf(event!.traceparent).toEqualTypeOf<string | undefined>();
    expect(event?.traceparent).toBe(traceparent);
  });

  it('saves no cursor past an event whose handling failed', async () => {
    const { tenon } = fakeServer([page(['1', '2'], 'c2')]);
    const save = vi.fn();
    const walkOn = async () => {
      for await (const { id } of tenon.events.follow({ save })) if (id === '2') throw new Error('the handler');
    };
    await expect(walkOn()).rejects.toThrow('the handler');
    expect(save).not.toHaveBeenCalled();
  });

  it('asks again with the cursor and waits, until its signal is aborted', async () => {
    const controller = new AbortController();
    const { tenon, sent } = fakeServer([
      page([], 'c0'),
      page(['1'], 'c1'),
      () => {
        controller.abort(new Error('enough'));
        return new Response(null, { status: 503, headers: { 'Retry-After': '20' } });
      },
    ]);
    const ids: string[] = [];
    const walkOn = async () => {
      for await (const { id } of tenon.events.follow({ types: ['product.*'], signal: controller.signal })) ids.push(id);
    };
    await expect(walkOn()).rejects.toThrow('enough');
    expect(ids).toEqual(['1']);
    expect(sent.map(({ query }) => query.toString())).toEqual([
      'types=product.*&wait=20&take=250',
      'after=c0&types=product.*&wait=20&take=250',
      'after=c1&types=product.*&wait=20&take=250',
    ]);
  });

  it('continues with the oldest event that is kept, once it has said so; without onExpired it ends', async () => {
    const expired = json(410, { error: 'x', code: 'cursor_expired', oldest: 'c9' });
    const onExpired = vi.fn();
    const { tenon, sent } = fakeServer([expired, page(['9'], 'c10')]);
    expect(await all(tenon.events.follow({ after: 'c0', wait: 0, onExpired }))).toMatchObject([{ id: '9' }]);
    expect(onExpired).toHaveBeenCalledWith(expect.objectContaining({ code: 'cursor_expired', status: 410 }));
    expect(sent.map(({ query }) => query.get('after'))).toEqual(['c0', 'c9']);
    const other = fakeServer([expired]);
    await expect(all(other.tenon.events.follow({ after: 'c0' }))).rejects.toMatchObject({ code: 'cursor_expired' });
  });

  it('continues by itself where the server has lost events, and says so to onExpired', async () => {
    const changed = json(410, { error: 'x', code: 'cursor_expired', oldest: 'c9', reason: 'history_changed' });
    const { tenon, sent } = fakeServer([changed, page(['9'], 'c10')]);
    expect(await all(tenon.events.follow({ after: 'c12', wait: 0 }))).toMatchObject([{ id: '9' }]);
    expect(sent.map(({ query }) => query.get('after'))).toEqual(['c12', 'c9']);
    const onExpired = vi.fn();
    const told = fakeServer([changed, page(['9'], 'c10')]);
    await all(told.tenon.events.follow({ after: 'c12', wait: 0, onExpired }));
    expect(onExpired).toHaveBeenCalledOnce();
  });
});
