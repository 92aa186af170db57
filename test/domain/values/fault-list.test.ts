import { expect, it } from 'vitest';

import { faultList, MAX_FAULTS } from '../../../src/domain/values/fault-list.ts';

it('of many faults the first are kept, of one field or of several, in the order found', () => {
  const faults = faultList();
  expect([faults.any(), faults.isFull()]).toEqual([false, false]);
  faults.add('constructor', 'a');
  faults.add('list', ...Array.from({ length: 128 }, (_, at) => String(at)));
  faults.add('more', 'b');
  expect(Object.keys(faults.errors)).toEqual(['constructor', 'list']);
  expect(Object.values(faults.errors).flat()).toHaveLength(MAX_FAULTS);
  expect([faults.any(), faults.isFull()]).toEqual([true, true]);
});
