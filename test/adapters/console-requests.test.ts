import { expect, it } from 'vitest';

import { rowOf, rowOfGroup } from '../../console/pages/requests/request-row.ts';

const newest = {
  id: 'newest',
  at: '2026-01-01T00:00:03.000Z',
  route: 'GET /apps/events',
  status: 429,
  code: 'rate_limited',
  reason: 'rate_limited',
  check: 'rate',
  storeId: 'store',
  host: null,
  installationId: 'app',
  durationMs: 1,
  leftOut: 7,
} as const;

it('a group is the row of its newest request, with how many are like it, since when, and over time', () => {
  const since = '2026-01-01T00:00:01.000Z';
  const trend = [150, 50];
  expect(rowOfGroup({ newest, count: 200, since, trend })).toEqual({ ...newest, alike: 199, since, trend });
  expect(rowOf(newest)).toEqual({ ...newest, alike: 7, since: newest.at, trend: null });
});
