import { expect, it } from 'vitest';

import { SharedBodies } from '../../src/adapters/prisma/webhooks/queue/shared-bodies.ts';
import { collectGarbage } from '../support/collect-garbage.ts';

const LENGTH = 100_000;
const COUNT = 300;
/** Copies the text: each row of the database has its own string. */
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
  const event = ['store', 'event'] as const;
  expect(kept(() => bodies.of(...event, copyOf('x'), null))).toBeLessThan((COUNT * LENGTH) / 3);
  expect(bodies.of(...event, 'x', null)).toBe('x');
});

it('a body is evicted by those of later events', () => {
  const bodies = new SharedBodies();
  const growth = kept((n) => {
    bodies.of('store', String(n), copyOf('x'), null);
    return null;
  });
  expect(growth).toBeLessThan((COUNT * LENGTH) / 3);
});

it('an event that was lost and returns under its id has its present body', () => {
  const bodies = new SharedBodies();
  const event = ['store', 'event'] as const;
  expect(bodies.of(...event, 'before', null)).toBe('before');
  expect(bodies.of(...event, 'after', null)).toBe('after');
  expect(bodies.of(...event, 'after', null)).toBe('after');
});

it('an event of another store with the same id has a body of its own', () => {
  const bodies = new SharedBodies();
  bodies.of('one', 'event', 'its body', null);
  expect(bodies.of('two', 'event', 'another body', null)).toBe('another body');
});

it('a body with some of its fields is made once for all readers with these fields', () => {
  const bodies = new SharedBodies();
  const body = JSON.stringify({ id: 'e', data: { id: 'r', text: 'y'.repeat(LENGTH), more: 1 } });
  expect(kept(() => bodies.of('store', 'e', body, ['text']))).toBeLessThan((COUNT * LENGTH) / 3);
  expect(bodies.of('store', 'e', body, ['more'])).toBe('{"id":"e","data":{"id":"r","more":1}}');
  expect(bodies.of('store', 'e', body, null)).toBe(body);
});
