import { expect, it } from 'vitest';

import { boundedCount } from '../../../src/domain/webhooks/backlog.ts';

it.each([
  [0, { count: 0, isComplete: true }],
  [10, { count: 10, isComplete: true }],
  [11, { count: 10, isComplete: false }],
])('a count that ends at 10, of %i, says whether it is all', (counted, count) => {
  expect(boundedCount(counted, 10)).toEqual(count);
});
