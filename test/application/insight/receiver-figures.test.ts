import { beforeEach, describe, expect, it } from 'vitest';

import { getReceiverFigures } from '../../../src/application/insight/get-receiver-figures.ts';
import type { AttemptRecord } from '../../../src/domain/ports/webhooks/delivery-repository.ts';
import { notFound } from '../../../src/domain/result.ts';
import { isoTime } from '../../../src/domain/time.ts';
import { NO_OPTIONS } from '../../../src/domain/webhooks/subscription-options.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('the figures of a receiver', () => {
  let world: MemoryWorld;
  let storeId: string;
  let subscriptionId: string;
  beforeEach(async () => {
    world = openMemoryPorts();
    storeId = world.ids.next();
    await world.stores.create({ id: storeId, domain: 'a.test', name: 'A', currency: 'EUR' });
    subscriptionId = world.ids.next();
    const content = { url: 'https://hooks.example.com/it', description: null, eventTypes: ['order.paid'] as const };
    const owned = { storeId, installationId: null, signingSecret: 'sealed' };
    await world.subscriptions.create({ id: subscriptionId, ...owned, ...content, ...NO_OPTIONS });
  });
  const get = (more: { since?: number; subscriptionId?: string } = {}, ports: MemoryWorld = world) => {
    const { since, ...key } = more;
    return getReceiverFigures(ports)({ storeId, subscriptionId, ...key }, { since });
  };
  const deliver = async (count: number): Promise<readonly string[]> => {
    const order = { storeId, type: 'order.paid', resourceId: null, origin: null, data: {} } as const;
    await world.transaction.run(null, (tx) => tx.events.append(Array.from({ length: count }, () => order)));
    await world.deliveries.fanOut(storeId, count);
    return (await world.deliveries.due({ storeId, subscriptionId }, count, [])).map(({ id }) => id);
  };
  const attempt = (deliveryId: string, more: Partial<AttemptRecord>): AttemptRecord => ({
    ...{ storeId, deliveryId, number: 1, startedAt: world.clock.now(), durationMs: 10, waitedMs: 1, status: 200 },
    ...{ address: null, error: null, response: null, signature: null, gap: null, verdict: { kind: 'delivered' } },
    ...more,
  });

  it('are what was delivered and attempted in each step with its times, what was answered, and what waits', async () => {
    const since = world.clock.now();
    const [first = '', second = '', third = '', fourth = ''] = await deliver(4);
    await world.deliveries.settle([attempt(first, {}), attempt(second, {})], []);
    world.clock.advance(MINUTE);
    const failed = { kind: 'failed' } as const;
    await world.deliveries.settle([attempt(third, { status: 500, durationMs: 50, verdict: failed })], []);
    world.clock.advance(MINUTE);
    const nothing = { '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0, none: 0 };
    const time = (ms: number) => ({ ms: expect.closeTo(ms) as number, isOver: false });
    const times = (p50: number, p95: number) => ({ p50: time(p50), p95: time(p95) });
    const ended = { delivered: 0, failed: 0, dropped: 0 };
    expect(await get({ since })).toEqual({
      ok: true,
      value: {
        from: since,
        to: world.clock.now(),
        step: 'minute',
        steps: [
          {
            at: isoTime(since),
            deliveries: { ...ended, delivered: 2 },
            attempts: { ...nothing, '2xx': 2 },
            ...times(5, 9.5),
          },
          {
            at: isoTime(since + MINUTE),
            deliveries: { ...ended, failed: 1 },
            attempts: { ...nothing, '5xx': 1 },
            ...times(37.5, 48.75),
          },
        ],
        ...times(7.5, 46.25),
        answers: {
          deliveries: 4,
          items: [
            { status: 200, error: null, count: 2 },
            { status: 500, error: null, count: 1 },
          ],
          lastFailure: { deliveryId: third, number: 1, at: isoTime(since + MINUTE) },
          isComplete: true,
        },
        waiting: {
          count: 1,
          isComplete: true,
          oldest: { deliveryId: fourth, createdAt: isoTime(since), secondsOld: 120 },
        },
      },
    });
  });
  it('have the answers of the newest 1,000 deliveries of the range, and say whether there may be more', async () => {
    const answersOf = async (deliveries: number) => {
      const answers = { deliveries, items: [], lastFailure: null };
      const found = await get({}, { ...world, deliveryLog: { ...world.deliveryLog, answers: async () => answers } });
      return found.ok && found.value.answers.isComplete;
    };
    expect([await answersOf(999), await answersOf(1_000)]).toEqual([true, false]);
    await deliver(1);
    world.clock.advance(3 * HOUR);
    expect(await get({ since: world.clock.now() - HOUR })).toMatchObject({ ok: true, value: { answers: { deliveries: 0 } } });
  });
  it('are refused for a range that is not one of theirs, and not found without the subscription', async () => {
    expect(await get({ since: world.clock.now() + HOUR })).toMatchObject({ ok: false, code: 'invalid' });
    expect(await get({ subscriptionId: storeId })).toEqual(notFound('Subscription'));
  });
});
