import { beforeEach, describe, expect, it } from 'vitest';

import { createStore } from '../../../src/application/identity/store-changes.ts';
import { getAttention } from '../../../src/application/insight/get-attention.ts';
import { search } from '../../../src/application/insight/search.ts';
import { mediaLookups } from '../../../src/application/media/lookups.ts';
import type { Place } from '../../../src/domain/place.ts';
import { notFound, refuse } from '../../../src/domain/result.ts';
import type { EventType } from '../../../src/domain/webhooks/event.ts';
import { NO_OPTIONS } from '../../../src/domain/webhooks/subscription-options.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';

const NOBODY = '00000000-0000-4000-8000-00000000dead';
const HOUR = 3_600_000;
const URL = 'https://hooks.example.com/it';

let world: MemoryWorld;
let storeId: string;
beforeEach(async () => {
  world = openMemoryPorts();
  const created = await createStore(world, null)({ domain: 'a.test' });
  storeId = created.ok ? created.value.id : expect.fail(created.message);
});

const imported = async (outcomes: number): Promise<string[]> => {
  const ids = Array.from({ length: outcomes }, () => world.ids.next());
  const item = { sourceUrl: 'https://x.test/a.png', productId: NOBODY, productVariantId: null, altText: null, position: null };
  for (const id of ids) {
    const items = [{ ...item, aiGenerated: false, mediaId: world.ids.next() }];
    await world.transaction.run(null, (tx) => tx.mediaImports.create({ id, storeId, installationId: NOBODY, items }));
    world.clock.advance(1_000);
  }
  await world.transaction.run(null, (tx) => tx.mediaImports.endAll({ storeId, installationId: NOBODY }));
  return ids.reverse();
};

const settleHealth = (subscriptionId: string, { deactivates = false } = {}) => {
  const health = { failures: 1, failingForSeconds: 1, probeInSeconds: null, deactivates };
  return world.deliveries.settle([], [{ storeId, subscriptionId, ...health }]);
};
const failing = async (...eventTypes: readonly EventType[]): Promise<string> => {
  const id = world.ids.next();
  const content = { url: URL, description: null, eventTypes };
  const owned = { storeId, installationId: null, signingSecret: 'sealed' };
  await world.subscriptions.create({ id, ...owned, ...content, ...NO_OPTIONS });
  await settleHealth(id);
  return id;
};
const happen = async (...types: readonly EventType[]): Promise<void> => {
  const events = types.map((type) => ({ storeId, type, resourceId: null, origin: null, data: {} }));
  await world.transaction.run(null, (tx) => tx.events.append(events));
  await world.deliveries.fanOut(storeId, 10);
};

describe('what needs attention', () => {
  const attention = async () => {
    const found = await getAttention(world)(storeId);
    return found.ok ? found.value : expect.fail(found.message);
  };
  it('has at most 20 entries in a list, and says whether there are more', async () => {
    await imported(20);
    expect((await attention()).mediaImports).toMatchObject({ items: { length: 20 }, isComplete: true });
    await imported(1);
    expect((await attention()).mediaImports).toMatchObject({ items: { length: 20 }, isComplete: false });
  });
  it('has refusals of the last hour, failed deliveries of 24 hours and imports of 7 days', async () => {
    await imported(1);
    const now = world.clock.now();
    const refusal = { route: 'GET /x', status: 401, code: 'unauthenticated', check: 'token', host: 'a.test', storeId } as const;
    const at = (hours: number) => ({ ...refusal, id: world.ids.next(), at: now - hours * HOUR, reason: `${hours} h` });
    const more = { installationId: null, durationMs: 1, leftOut: 0 };
    await world.requestLog.write([0, 0.9, 1.1].map((hours) => ({ ...at(hours), ...more })));
    const found = await attention();
    expect(found.refusals.map(({ reason }) => reason)).toEqual(['0 h', '0.9 h']);
    expect(found.failedDeliveries).toEqual({ count: 0, isComplete: true, since: new Date(now - 24 * HOUR).toISOString() });
    expect(found.checkedAt).toBe(new Date(now).toISOString());
    world.clock.advance(6.9 * 24 * HOUR);
    expect((await attention()).mediaImports.items).toHaveLength(1);
    world.clock.advance(0.2 * 24 * HOUR);
    expect((await attention()).mediaImports.items).toEqual([]);
  });
  it('has failing receivers, those for which most deliveries wait first', async () => {
    const none = await failing('order.refunded');
    const few = await failing('order.paid');
    const many = await failing('order.paid', 'order.shipped');
    await happen('order.paid', 'order.shipped');
    expect((await attention()).failingSubscriptions).toMatchObject({
      items: [
        { id: many, url: URL, waiting: { count: 2, isComplete: true } },
        { id: few, url: URL, waiting: { count: 1, isComplete: true } },
        { id: none, url: URL, waiting: { count: 0, isComplete: true } },
      ],
      isComplete: true,
    });
  });
  it('has the deliveries that failed in the last 24 hours', async () => {
    const id = await failing('order.paid');
    await happen('order.paid');
    await settleHealth(id, { deactivates: true });
    const { deactivatedSubscriptions, failedDeliveries } = await attention();
    expect(deactivatedSubscriptions.items.map((one) => one.id)).toEqual([id]);
    expect(failedDeliveries).toMatchObject({ count: 1, isComplete: true });
    world.clock.advance(24 * HOUR + 1);
    expect((await attention()).failedDeliveries).toMatchObject({ count: 0 });
  });
  it('is not found without the store, also where it is erased meanwhile', async () => {
    expect(await getAttention(world)(NOBODY)).toEqual(notFound('Store'));
    const erased = { ...world, backlog: { ...world.backlog, read: async () => null } };
    expect(await getAttention(erased)(storeId)).toEqual(notFound('Store'));
  });
});

describe('the image imports of a store', () => {
  const page = async (take: number, after: Place | null = null) => {
    const found = await mediaLookups(world).listMediaImports(storeId, {}, { after, take });
    return found.ok ? found.value : expect.fail(found.message);
  };
  it('come page by page, and the last page has no next', async () => {
    const ids = await imported(3);
    const first = await page(2);
    expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(await page(2, first.next)).toMatchObject({ items: [{ id: ids[2] }], next: null });
    expect((await page(3)).next).toBeNull();
  });
  it('are not found without the store, and one of them not without its id', async () => {
    expect(await mediaLookups(world).listMediaImports(NOBODY, {}, { after: null, take: 1 })).toEqual(notFound('Store'));
    expect(await mediaLookups(world).getImportDetail(NOBODY)).toEqual(notFound('Media import'));
  });
});

describe('a search', () => {
  it('that takes too long is unavailable, and one without its store not found', async () => {
    expect(await search(world)(NOBODY, 'x')).toEqual(notFound('Store'));
    const slow = { ...world, finder: { find: () => Promise.resolve('slow' as const) } };
    expect(await search(slow)(storeId, 'x')).toEqual(refuse('unavailable', 'The search took too long. Try again.'));
  });
  it('knows an id in any case, when its request came, and the event that a text names', async () => {
    const seen: unknown[] = [];
    const find = (_: string, sought: unknown) => {
      seen.push(sought);
      return Promise.resolve([]);
    };
    const id = '01a20602-5640-7000-981c-4be5d1c2376b';
    await search({ ...world, finder: { find } })(storeId, id.toUpperCase());
    await search({ ...world, finder: { find } })(storeId, NOBODY);
    await search({ ...world, finder: { find } })(storeId, 'mine');
    expect(seen).toEqual([
      {
        text: id.toUpperCase(),
        id,
        eventId: id,
        requested: { from: expect.any(Number) as number, to: expect.any(Number) as number },
      },
      { text: NOBODY, id: NOBODY, eventId: NOBODY, requested: null },
      { text: 'mine', id: null, eventId: world.ids.named(storeId, 'mine'), requested: null },
    ]);
  });
});
