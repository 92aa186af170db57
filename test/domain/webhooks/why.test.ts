import { describe, expect, it } from 'vitest';

import { publicStatusOf, type Hold } from '../../../src/domain/webhooks/delivery.ts';
import { whyNotTried } from '../../../src/domain/webhooks/why-not-tried.ts';
import { isHold } from '../../../src/domain/webhooks/why-waiting.ts';

describe('a delivery', () => {
  const pending = { status: 'Pending', attempts: 0, error: null } as const;
  const failed = { status: 'Pending', attempts: 1, error: 'timeout' } as const;
  const called = (delivery: Parameters<typeof publicStatusOf>[0], hold: Hold | null = null) => publicStatusOf(delivery, hold);

  it('that has ended waits for nothing, also where its subscription is held', () => {
    const delivered = { status: 'Delivered', waitingBecause: null };
    expect(called({ ...failed, status: 'Delivered' }, 'store_inactive')).toEqual(delivered);
  });
  it('that is held waits because of the hold, also after a failed attempt', () => {
    expect(called(pending, 'app_suspended')).toEqual({ status: 'Waiting', waitingBecause: 'app_suspended' });
    expect(called(failed, 'paused_by_merchant')).toEqual({ status: 'Waiting', waitingBecause: 'paused_by_merchant' });
  });
  it('is retrying after a failed attempt, and queued before it and when it is sent again', () => {
    expect(called(failed)).toEqual({ status: 'Retrying', waitingBecause: null });
    expect(called(pending)).toEqual({ status: 'Waiting', waitingBecause: 'queued' });
    expect(called({ ...failed, error: null })).toEqual({ status: 'Waiting', waitingBecause: 'queued' });
    expect(called({ ...failed, attempts: 0 })).toEqual({ status: 'Waiting', waitingBecause: 'queued' });
  });
  it('is held by all that it waits for but its turn', () => {
    expect([isHold('store_inactive'), isHold('queued'), isHold(null)]).toEqual([true, false, false]);
  });
});

it.each([
  [[], null],
  [['paused_after_failures'], null],
  [['scope_lost'], null],
  [['scope_lost', 'paused_by_merchant'], 'The subscription is paused. Resume it first.'],
  [['deactivated', 'paused_by_merchant'], 'The subscription is deactivated. Reactivate it first.'],
] as const)('an attempt that somebody asks for is not made because of the first of %j that forbids it', (obstacles, why) => {
  expect(whyNotTried(obstacles)).toBe(why);
});
