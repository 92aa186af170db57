import { beforeEach, expect, it, vi } from 'vitest';

import { fanOutEvents } from '../../../src/application/webhooks/fan-out-events.ts';
import { judgeUrl } from '../../../src/application/webhooks/judge-target.ts';
import { listEvents, type EventQuery } from '../../../src/application/webhooks/list-events.ts';
import { webhookLookups } from '../../../src/application/webhooks/lookups.ts';
import { waitForPage } from '../../../src/application/webhooks/wait-for-page.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';

const NOT_FOUND = { ok: false, code: 'not_found', message: 'Store not found.' };
const DAY_MS = 86_400_000;

let ports: MemoryWorld;
let storeId: string;
beforeEach(async () => {
  ports = openMemoryPorts();
  storeId = ports.ids.next();
  await ports.stores.create({ id: storeId, domain: 'shop.test', name: 'Shop', currency: 'EUR' });
});

const list = async (query: Partial<EventQuery> = {}, store = storeId) => {
  const { signal } = new AbortController();
  const given = { take: 2, types: [], order: 'newest', wait: 0, include: null, ...query } as const;
  const page = await listEvents(ports)(store, given, { left: signal, refusal: () => Promise.resolve(null) });
  if (!page.ok) return page;
  const { bodies, next, more } = page.value;
  return { events: bodies.map((body) => (JSON.parse(body) as { data: { n: number } }).data.n), next, more };
};
const record = async (...numbers: number[]) => {
  for (const n of numbers) {
    const event = { storeId, type: 'order.paid', resourceId: `r${n}`, origin: null, data: { n } } as const;
    await ports.transaction.run(null, (tx) => tx.events.append([event]));
  }
  await fanOutEvents(ports)(storeId);
};
const nextOf = (page: Awaited<ReturnType<typeof list>>): string => ('next' in page ? page.next : expect.fail('no page'));

it('the newest events come first, and a cursor leads to the older ones', async () => {
  await record(1, 2, 3);
  const first = await list();
  expect(first).toEqual({ events: [3, 2], next: expect.any(String) as string, more: true });
  await record(4);
  expect(await list({ after: nextOf(first) })).toMatchObject({ events: [1], more: false });
  expect(await list({ after: 'latest' })).toMatchObject({ events: [4, 3], more: true });
});

it('the oldest events that are asked for are those of one resource, as many as are taken', async () => {
  await record(1, 2, 3);
  expect(await list({ order: 'oldest' })).toMatchObject({ events: [1, 2], more: true });
  expect(await list({ order: 'oldest', resourceId: 'r2' })).toMatchObject({ events: [2] });
});

it.each<Partial<EventQuery>>([{}, { order: 'oldest' }, { order: 'oldest', after: 'latest' }])(
  'a store that does not exist is not found: %o',
  async (query) => {
    expect(await list(query, ports.ids.next())).toEqual(NOT_FOUND);
  },
);

it('the newest cursor is where the next events begin', async () => {
  await record(1);
  const newest = await webhookLookups(ports).newestCursor(storeId);
  const after = newest.ok ? newest.value : expect.fail(newest.message);
  await record(2);
  expect(await list({ order: 'oldest', after })).toMatchObject({ events: [2], more: false });
});

it('a cursor before what is kept has expired, and the oldest place is given', async () => {
  await record(1, 2);
  const after = nextOf(await list({ order: 'oldest', take: 1 }));
  await record(3);
  ports.clock.advance(10 * DAY_MS);
  await record(4);
  await ports.eventFeed.purge(5, 100);
  const expired = await list({ order: 'oldest', after });
  expect(expired).toMatchObject({ ok: false, code: 'cursor_expired', details: { reason: 'not_kept' } });
  const oldest = 'details' in expired ? expired.details['oldest'] : undefined;
  expect(await list({ order: 'oldest', after: oldest })).toMatchObject({ events: [4] });
});

it('a fan-out wakes who waits for the feed only where it has events', async () => {
  const announce = vi.spyOn(ports.feedSignal, 'announce');
  await fanOutEvents(ports)(storeId);
  expect(announce).not.toHaveBeenCalled();
  await record(1);
  expect(announce.mock.calls).toEqual([[storeId]]);
});

it('a wait whose reading fails ends its watch', async () => {
  const end = vi.fn<() => void>();
  const watch = async () => ({ changed: async () => true, end });
  const place = (await ports.eventFeed.newest(storeId)) ?? expect.fail('no store');
  const watcher = { storeId, installationId: null };
  const { signal: left } = new AbortController();
  const read = () => Promise.reject(new Error('the database is gone'));
  await expect(waitForPage({ watch }, place, { watcher, seconds: 1, left, read })).rejects.toThrow('the database is gone');
  expect(end).toHaveBeenCalledTimes(1);
});

it.each([
  ['https://hooks.example.com/', null],
  ['http://hooks.example.com/', 'url must be an https URL.'],
  ['https://127.0.0.1/', 'url must not be a private address.'],
  ['https://hooks.example.com:6667/', 'url must not use port 6667, which belongs to another protocol.'],
])('the address %s is judged: %s', async (url, message) => {
  const refused = message === null ? null : { ok: false, code: 'invalid', message };
  expect(await judgeUrl(ports, [])(url)).toEqual(refused);
});
