import { expect, it } from 'vitest';

import { SharedBodies } from '../../src/adapters/prisma/webhooks/shared-bodies.ts';

it('all readers of an event share one body until it is evicted by later events', () => {
  const bodies = new SharedBodies();
  expect(bodies.of('first')).toBeUndefined();
  const first = bodies.keep('first', 'Grüße');
  expect(first).toEqual(Buffer.from('Grüße'));
  // Two look-ups may find the same event at the same time.
  expect(bodies.keep('first', 'Grüße')).toBe(first);
  const large = 'x'.repeat(700_000);
  bodies.keep('second', large);
  bodies.keep('third', large);
  expect(bodies.of('first')).toBe(first);
  bodies.keep('fourth', large);
  expect(bodies.of('first')).toBe(first);
  for (const id of ['fifth', 'sixth', 'seventh']) bodies.keep(id, large);
  expect(bodies.of('first')).toBeUndefined();
  expect(bodies.of('seventh')).toEqual(Buffer.from(large));
});
