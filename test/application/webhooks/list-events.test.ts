import { beforeEach, describe, expect, it, vi } from 'vitest';

import { fanOutEvents } from '../../../src/application/webhooks/fan-out-events.ts';
import { listEvents, type EventQuery } from '../../../src/application/webhooks/list-events.ts';
import { MAX_MERCHANT_WAITING } from '../../../src/domain/webhooks/feed.ts';
import { refuse, type Refusal } from '../../../src/domain/result.ts';
import { eventually } from '../../support/eventually.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';

const QUERY: EventQuery = { take: 100, types: [], order: 'oldest', wait: 25, include: null };

let ports: MemoryWorld;
let storeId: string;
let leaving: AbortController;
let ended: Refusal<'unauthenticated'> | null;
beforeEach(async () => {
  ports = openMemoryPorts();
  leaving = new AbortController();
  ended = null;
  storeId = ports.ids.next();
  await ports.stores.create({ id: storeId, domain: 'shop.test', name: 'Shop', currency: 'EUR' });
});

const list = (query: Partial<EventQuery> = {}, store = storeId) =>
  listEvents(ports)(store, { ...QUERY, ...query }, { left: leaving.signal, refusal: () => Promise.resolve(ended) });
const record = async (type: 'order.paid' | 'product.updated' = 'order.paid') => {
  const event = { storeId, type, resourceId: 'r', origin: null, data: {} };
  await ports.transaction.run(null, (tx) => tx.events.append([event]));
  await fanOutEvents(ports)(storeId);
};

describe('a request of the merchant for the feed', () => {
  it('that waits is answered as the next request would be, once its caller may read no more', async () => {
    ended = refuse('unauthenticated', 'The token or the session has ended.');
    const reads = vi.spyOn(ports.eventFeed, 'read');
    const waiting = list();
    await eventually(() => expect(reads).toHaveBeenCalledTimes(2));
    await record();
    expect(await waiting).toEqual(ended);
  });

  it('without an event waits, and gets the event of its types that comes', async () => {
    const reads = vi.spyOn(ports.eventFeed, 'read');
    const page = list({ types: ['order.*'] });
    await eventually(() => expect(reads).toHaveBeenCalledTimes(2));
    await record('product.updated');
    await eventually(() => expect(reads).toHaveBeenCalledTimes(3));
    await record();
    expect(await page).toMatchObject({ ok: true, value: { bodies: [expect.stringContaining('order.paid')], more: false } });
  });

  it.each<[string, Partial<EventQuery>]>([
    ['with wait 0', { wait: 0, include: null }],
    ['for latest', { after: 'latest' }],
  ])('does not wait %s', async (_name, query) => {
    const watch = vi.spyOn(ports.feedSignal, 'watch');
    expect(await list(query)).toMatchObject({ ok: true, value: { bodies: [], more: false } });
    expect(watch).not.toHaveBeenCalled();
  });

  it('does not wait where an event is there', async () => {
    const watch = vi.spyOn(ports.feedSignal, 'watch');
    await record();
    expect(await list()).toMatchObject({ ok: true, value: { bodies: [expect.any(String)] } });
    expect(watch).not.toHaveBeenCalled();
  });

  it('can not wait in the order newest, which has no event to wait for', async () => {
    expect(await list({ order: 'newest' })).toMatchObject({ ok: false, code: 'invalid', message: 'wait is for order=oldest.' });
    expect(await list({ order: 'newest', wait: 0 })).toMatchObject({ ok: true });
  });

  it('ends with an empty page when the client leaves, and makes room for another', async () => {
    const pages = Array.from({ length: MAX_MERCHANT_WAITING }, () => list());
    const watch = vi.spyOn(ports.feedSignal, 'watch');
    await eventually(async () => expect(await list()).toMatchObject({ ok: false, code: 'rate_limited' }));
    expect(watch).toHaveBeenCalled();
    leaving.abort();
    expect(await Promise.all(pages)).toMatchObject(pages.map(() => ({ value: { bodies: [] } })));
    expect(await list({ wait: 1 })).toMatchObject({ ok: true });
  });

  it('is refused for a store that does not exist, a broken cursor and an unknown type', async () => {
    expect(await list({}, ports.ids.next())).toMatchObject({ ok: false, code: 'not_found' });
    expect(await list({ after: 'x' })).toMatchObject({ ok: false, code: 'invalid' });
    expect(await list({ types: ['x'] })).toMatchObject({ ok: false, code: 'invalid' });
  });
});
