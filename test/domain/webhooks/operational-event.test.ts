import { describe, expect, it } from 'vitest';

import { exhaustedEvents, subscriptionEvents } from '../../../src/domain/webhooks/operational-event.ts';

const healthy = {
  id: 'subscription',
  storeId: 'store',
  installationId: 'app',
  url: 'https://hooks.example.com/',
  isActive: true,
  isBreakerOpen: false,
  failingSince: null,
};
const open = { ...healthy, isBreakerOpen: true, failingSince: '2026-01-01T00:00:00.000Z' };
const gone = { ...open, isActive: false };

describe('an event of a subscription', () => {
  it.each([
    ['its breaker opens', healthy, open, 'subscription.failing'],
    ['its breaker closes', open, healthy, 'subscription.recovered'],
    ['it is deactivated', open, gone, 'subscription.deactivated'],
    ['it is deactivated at once', healthy, gone, 'subscription.deactivated'],
  ])('when %s', (_, before, after, type) => {
    const { id, installationId, url } = healthy;
    const data = { id, installationId, url, failingSince: open.failingSince };
    expect(subscriptionEvents(before, after)).toEqual([{ storeId: 'store', type, resourceId: id, origin: null, data }]);
  });
  it.each([
    ['nothing changes', healthy, healthy],
    ['its breaker stays open', open, open],
    ['it fails while its breaker is closed', healthy, { ...healthy, failingSince: open.failingSince }],
    ['it is inactive already', gone, gone],
  ])('none when %s', (_, before, after) => {
    expect(subscriptionEvents(before, after)).toEqual([]);
  });
});

describe('an event of a delivery that failed', () => {
  const delivery = {
    id: 'delivery',
    eventId: 'event',
    eventType: 'order.paid',
    subscriptionId: 'subscription',
    installationId: null,
    attempts: 10,
    error: 'timeout',
  } as const;

  it('names the delivery, its event and why it failed', () => {
    expect(exhaustedEvents({ ...delivery, storeId: 'store' })).toEqual([
      { storeId: 'store', type: 'delivery.exhausted', resourceId: 'delivery', origin: null, data: delivery },
    ]);
  });
  it.each(['subscription.failing', 'subscription.recovered', 'subscription.deactivated', 'delivery.exhausted'] as const)(
    'none for the delivery of %s',
    (eventType) => {
      expect(exhaustedEvents({ ...delivery, storeId: 'store', eventType })).toEqual([]);
    },
  );
});
