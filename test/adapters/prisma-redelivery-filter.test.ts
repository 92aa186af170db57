import { expect, it } from 'vitest';

import { filterOfKept, keptFilter } from '../../src/adapters/prisma/webhooks/queue/redelivery-repository.ts';

const FILTERS = [
  { types: ['ping'] },
  { statuses: ['Failed', 'Dropped'] },
  { statuses: ['Waiting'] },
  { statuses: ['Retrying', 'Failed'], resourceId: 'r' },
] as const;

it.each(FILTERS)('a kept filter is read as it was: %j', (filter) => {
  expect(filterOfKept(keptFilter(filter))).toEqual(filter);
});

it('a process of the version before finds what has not ended under its own names', () => {
  expect(keptFilter({ statuses: ['Retrying', 'Failed'] }).statuses).toEqual([
    'Retrying',
    'Failed',
    'Pending',
    'Delivering',
    'Held',
  ]);
  expect(keptFilter({ waitingBecause: ['queued'] })).toEqual({
    waitingBecause: ['queued'],
    statuses: ['Waiting', 'Pending', 'Delivering', 'Held'],
  });
});

it('a filter that the version before kept is for all that has not ended', () => {
  expect(filterOfKept({ statuses: ['Held', 'Failed'] })).toEqual({ statuses: ['Failed', 'Waiting', 'Retrying'] });
});
