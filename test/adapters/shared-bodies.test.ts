import { expect, it } from 'vitest';

import { SharedBodies } from '../../src/adapters/prisma/webhooks/queue/shared-bodies.ts';
import { collectGarbage } from '../support/collect-garbage.ts';

const WHOLE = { fields: null, include: null, included: null };
const cut = (...fields: string[]) => ({ ...WHOLE, fields });
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
  expect(kept(() => bodies.of(...event, copyOf('x'), WHOLE))).toBeLessThan((COUNT * LENGTH) / 3);
  expect(bodies.of(...event, 'x', WHOLE)).toBe('x');
});

it('a body is evicted by those of later events', () => {
  const bodies = new SharedBodies();
  const growth = kept((n) => {
    bodies.of('store', String(n), copyOf('x'), WHOLE);
    return null;
  });
  expect(growth).toBeLessThan((COUNT * LENGTH) / 3);
});

it('an event that was lost and returns under its id has its present body', () => {
  const bodies = new SharedBodies();
  const event = ['store', 'event'] as const;
  expect(bodies.of(...event, 'before', WHOLE)).toBe('before');
  expect(bodies.of(...event, 'after', WHOLE)).toBe('after');
  expect(bodies.of(...event, 'after', WHOLE)).toBe('after');
});

it('an event of another store with the same id has a body of its own', () => {
  const bodies = new SharedBodies();
  bodies.of('one', 'event', 'its body', WHOLE);
  expect(bodies.of('two', 'event', 'another body', WHOLE)).toBe('another body');
});

it('a body with some of its fields is made once for all readers with these fields', () => {
  const bodies = new SharedBodies();
  const body = JSON.stringify({ id: 'e', data: { id: 'r', text: 'y'.repeat(LENGTH), more: 1 } });
  expect(kept(() => bodies.of('store', 'e', body, cut('text')))).toBeLessThan((COUNT * LENGTH) / 3);
  expect(bodies.of('store', 'e', body, cut('more'))).toBe('{"id":"e","data":{"id":"r","more":1}}');
  expect(bodies.of('store', 'e', body, WHOLE)).toBe(body);
});

it('a body with what it includes is made once for all readers, and again where that is another', () => {
  const bodies = new SharedBodies();
  const body = '{"id":"e","data":{"id":"r"}}';
  const including = (included: string) => ({ ...WHOLE, include: ['product'], included });
  const large = JSON.stringify({ product: { name: 'y'.repeat(LENGTH) } });
  expect(kept(() => bodies.of('store', 'e', body, including(large)))).toBeLessThan((COUNT * LENGTH) / 3);
  expect(bodies.of('store', 'e', body, including('{"product":null}'))).toBe('{"id":"e","data":{"id":"r","product":null}}');
  expect(bodies.of('store', 'e', body, WHOLE)).toBe(body);
});
