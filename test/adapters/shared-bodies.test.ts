import { expect, it } from 'vitest';

import { SharedBodies } from '../../src/adapters/prisma/webhooks/shared-bodies.ts';

it('all readers of an event share one body until it is evicted by later events', () => {
  const bodies = new SharedBodies();
  expect(bodies.of('first', 'its body')).toBe('its body');
  // Bodies never change. Here they differ only so that the test can distinguish them.
  expect(bodies.of('first', 'a copy')).toBe('its body');
  const large = 'x'.repeat(700_000);
  bodies.of('second', large);
  bodies.of('third', large);
  expect(bodies.of('first', 'a copy')).toBe('its body');
  bodies.of('fourth', large);
  expect(bodies.of('first', 'a copy')).toBe('its body');
  for (const id of ['fifth', 'sixth', 'seventh']) bodies.of(id, large);
  expect(bodies.of('first', 'read again')).toBe('read again');
  expect(bodies.of('seventh', 'a copy')).toBe(large);
});
