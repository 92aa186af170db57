import { expect, it } from 'vitest';

import { faultList, MAX_FAULTS } from '../../../src/domain/values/fault-list.ts';

it('the faults of a field are listed together, also when others are found between them', () => {
  const faults = faultList();
  faults.add('a', '1');
  faults.add('b', '2');
  faults.add('a', '3', '4');
  expect(faults.errors).toEqual({ a: ['1', '3', '4'], b: ['2'] });
});

it('a field is named with at most 255 characters', () => {
  const faults = faultList();
  faults.add('x'.repeat(255), 'short');
  faults.add(`y${'x'.repeat(255)}`, 'long');
  expect(Object.keys(faults.errors)).toEqual(['x'.repeat(255), `y${'x'.repeat(254)}`]);
});

it('a list is full with its twentieth fault', () => {
  const faults = faultList();
  faults.add('a', ...Array.from({ length: 19 }, () => 'wrong'));
  expect(faults.isFull()).toBe(false);
  faults.add('b', 'wrong');
  expect(faults.isFull()).toBe(true);
});

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
