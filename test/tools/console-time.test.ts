import { expect, it } from 'vitest';

import { dueText } from '../../console/parts/time-words.ts';

it.each([
  [300, 'in 5 min'],
  [1, 'due now'],
  [-4, 'due now'],
  [-1_000, 'overdue by 16 min'],
])('what is to happen in %i seconds is not said to have happened: %s', (away, text) => {
  expect(dueText('2026-11-30T00:00:00Z', away)).toBe(text);
});
