import { beforeEach, describe, expect, it, vi } from 'vitest';

import { fanOutEvents } from '../../../src/application/webhooks/fan-out-events.ts';
import { readFeed, type FeedRequest, type Waiting } from '../../../src/application/webhooks/read-feed.ts';
import type { Caller } from '../../../src/domain/identity/caller.ts';
import { placeAt } from '../../../src/domain/webhooks/feed-place.ts';
import { eventually } from '../../support/eventually.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';

const REQUEST: FeedRequest = { take: 100, types: [], wait: 25, include: null };

let ports: MemoryWorld;
let caller: Caller;
let leaving: AbortController;
let renewed: (Caller | null)[];

beforeEach(async () => {
  ports = openMemoryPorts();
  leaving = new AbortController();
  renewed = [];
  const [storeId, installationId] = [ports.ids.next(), ports.ids.next()];
  await ports.stores.create({ id: storeId, domain: 'shop.test', name: 'Shop', currency: 'EUR' });
  caller = { storeId, installationId, scopes: ['read_orders'] };
  const secrets = {
    clientSecret: { id: ports.ids.next(), hash: '00' },
    signingSecret: { id: ports.ids.next(), sealed: 'sealed' },
  };
  await ports.installations.create({
    id: installationId,
    storeId,
    name: 'App',
    clientId: 'c',
    scopes: ['read_orders'],
    ...secrets,
  });
});

/** The renewals give what was put into `renewed`, and then the caller. */
const waiting = (): Waiting => ({
  left: leaving.signal,
  renewCaller: () => Promise.resolve(renewed.length > 0 ? (renewed.shift() ?? null) : caller),
});
const read = (request: Partial<FeedRequest> = {}) => readFeed(ports)(caller, { ...REQUEST, ...request }, waiting());
const record = async (type: 'order.paid' | 'product.updated' = 'order.paid') => {
  const { storeId } = caller;
  const event = { storeId, type, resourceId: 'r', origin: null, data: {} };
  const [id] = await ports.transaction.run(null, (tx) => tx.events.append([event]));
  await fanOutEvents(ports)(storeId);
  return id;
};
/** The next call of this method of the port has been made and answered. */
const answered = (spy: { mock: { settledResults: readonly { type: string }[] } }, count: number) =>
  eventually(() => {
    expect(spy.mock.settledResults.filter(({ type }) => type === 'fulfilled').length).toBeGreaterThanOrEqual(count);
  });

describe('a request for the feed', () => {
  it('without an event waits, and gets the event that comes', async () => {
    const reads = vi.spyOn(ports.eventFeed, 'read');
    const page = read();
    await answered(reads, 2);
    const id = await record();
    expect((await page).ok && (await page)).toMatchObject({
      value: { bodies: [expect.stringContaining(id ?? '-')], more: false },
    });
  });

  it('gets an event that comes between its look and its watch', async () => {
    const { watch } = ports.feedSignal;
    vi.spyOn(ports.feedSignal, 'watch').mockImplementation(async (...given) => {
      await record();
      return watch(...given);
    });
    expect(await read()).toMatchObject({ ok: true, value: { bodies: [expect.any(String)] } });
  });

  it('continues to wait after an event that its types leave out, and passes it', async () => {
    const reads = vi.spyOn(ports.eventFeed, 'read');
    const page = read();
    await answered(reads, 2);
    await record('product.updated');
    await answered(reads, 3);
    await record();
    expect(await page).toMatchObject({ ok: true, value: { bodies: [expect.stringContaining('order.paid')] } });
    expect(reads.mock.calls.map(([{ after }]) => after?.position ?? null)).toEqual([null, 0, 0, 1]);
  });

  it('sees by the scopes of the moment', async () => {
    const reads = vi.spyOn(ports.eventFeed, 'read');
    const page = read();
    await answered(reads, 2);
    renewed.push({ ...caller, scopes: ['read_products'] });
    await record('product.updated');
    expect(await page).toMatchObject({ ok: true, value: { bodies: [expect.stringContaining('product.updated')] } });
  });

  it('ends as unauthenticated when its token is not valid any more', async () => {
    const reads = vi.spyOn(ports.eventFeed, 'read');
    const page = read();
    await answered(reads, 2);
    renewed.push(null);
    await ports.tokens.revokeAll(caller.storeId, caller.installationId);
    expect(await page).toMatchObject({ ok: false, code: 'unauthenticated' });
  });

  it('ends with an empty page when the client leaves, and ends its watch', async () => {
    const reads = vi.spyOn(ports.eventFeed, 'read');
    const pages = [read(), read()];
    await answered(reads, 4);
    expect(await read()).toMatchObject({ ok: false, code: 'rate_limited' });
    leaving.abort();
    expect(await Promise.all(pages)).toMatchObject([{ value: { bodies: [] } }, { value: { bodies: [] } }]);
    leaving = new AbortController();
    const page = read();
    await answered(reads, 7);
    await record();
    expect(await page).toMatchObject({ ok: true });
  });

  it.each<[string, Partial<FeedRequest>]>([
    ['with wait 0', { wait: 0, include: null }],
    ['for latest', { after: 'latest' }],
  ])('does not wait %s', async (_name, request) => {
    const watch = vi.spyOn(ports.feedSignal, 'watch');
    expect(await read(request)).toMatchObject({ ok: true, value: { bodies: [], more: false } });
    expect(watch).not.toHaveBeenCalled();
  });

  it('does not wait where there is more to pass', async () => {
    const watch = vi.spyOn(ports.feedSignal, 'watch');
    vi.spyOn(ports.eventFeed, 'read').mockResolvedValue({ kind: 'page', bodies: [], next: placeAt(2_000, []), more: true });
    expect(await read()).toMatchObject({ ok: true, value: { bodies: [], more: true } });
    expect(watch).not.toHaveBeenCalled();
  });

  it('is refused for a broken cursor, an unknown type and an installation that is gone', async () => {
    expect(await read({ after: 'x' })).toMatchObject({ ok: false, code: 'invalid' });
    expect(await read({ types: ['x'] })).toMatchObject({ ok: false, code: 'invalid' });
    caller = { ...caller, installationId: ports.ids.next() };
    expect(await read()).toMatchObject({ ok: false, code: 'unauthenticated' });
  });
});
