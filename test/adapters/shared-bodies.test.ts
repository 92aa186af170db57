import { expect, it } from 'vitest';

import { storeKey } from '../../src/domain/store-key.ts';
import { SharedBodies } from '../../src/adapters/prisma/webhooks/shared-bodies.ts';
import { collectGarbage } from '../support/collect-garbage.ts';

const LENGTH = 100_000;
const COUNT = 300;
/** As a row of the database has it: a string of its own each time. */
const copyOf = (letter: string): string => Buffer.alloc(LENGTH, letter).toString('latin1');

/** The characters that a body of each of these takes, where `work` gives what to keep of it. */
const kept = (work: (n: number) => string | null): number => {
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const bodies = Array.from({ length: COUNT }, (_, n) => work(n));
  collectGarbage();
  const growth = process.memoryUsage().heapUsed - before;
  expect(bodies).toHaveLength(COUNT);
  return growth;
};

it('all readers of an event share one body', () => {
  const bodies = new SharedBodies();
  const event = storeKey('store', 'event');
  expect(kept(() => bodies.of(event, copyOf('x')))).toBeLessThan((COUNT * LENGTH) / 3);
  expect(bodies.of(event, 'x')).toBe('x');
});

it('a body is evicted by those of later events', () => {
  const bodies = new SharedBodies();
  const growth = kept((n) => {
    bodies.of(storeKey('store', String(n)), copyOf('x'));
    return null;
  });
  expect(growth).toBeLessThan((COUNT * LENGTH) / 3);
});

it('an event that was lost and returns under its id has its present body', () => {
  const bodies = new SharedBodies();
  const event = storeKey('store', 'event');
  expect(bodies.of(event, 'before')).toBe('before');
  expect(bodies.of(event, 'after')).toBe('after');
  expect(bodies.of(event, 'after')).toBe('after');
});

it('an event of another store with the same id has a body of its own', () => {
  const bodies = new SharedBodies();
  bodies.of(storeKey('one', 'event'), 'its body');
  expect(bodies.of(storeKey('two', 'event'), 'another body')).toBe('another body');
});
