import { expect, it } from 'vitest';

import { failedIn, firstPeriod } from '../../console/pages/subscriptions/failed-choice.ts';
import { PERIODS } from '../../console/parts/periods.ts';

const NOW = Date.parse('2026-01-02T12:00:00.000Z');

it('what made a receiver fail is among what is sent again, though it was created before', () => {
  const period = firstPeriod('2026-01-02T11:00:00.000Z');
  expect(failedIn('receiver', period, NOW)).toEqual({ subscriptionId: 'receiver', status: ['Failed'] });
});

it('a period begins at its number of hours ago', () => {
  expect(failedIn('receiver', firstPeriod(null), NOW)).toMatchObject({ since: '2026-01-02T11:00:00.000Z' });
  expect(failedIn('receiver', '24', NOW)).toMatchObject({ since: '2026-01-01T12:00:00.000Z' });
});

it('a period that is chosen first is one of those that every list is filtered by', () => {
  const known = PERIODS.map(([period]) => period);
  expect(known).toContain(firstPeriod(null));
  expect(known).toContain(firstPeriod('2026-01-02T11:00:00.000Z'));
});
