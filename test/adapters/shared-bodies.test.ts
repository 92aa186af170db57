import { expect, it } from 'vitest';

import { storeKey } from '../../src/domain/store-key.ts';
import { SharedBodies } from '../../src/adapters/prisma/webhooks/shared-bodies.ts';

it('all readers of an event share one body until it is evicted by later events', () => {
  const bodies = new SharedBodies();
  expect(bodies.of(storeKey('store', 'first'), 'its body')).toBe('its body');
  // Bodies never change. Here they differ only so that the test can distinguish them.
  expect(bodies.of(storeKey('store', 'first'), 'a copy')).toBe('its body');
  const large = 'x'.repeat(700_000);
  bodies.of(storeKey('store', 'second'), large);
  bodies.of(storeKey('store', 'third'), large);
  expect(bodies.of(storeKey('store', 'first'), 'a copy')).toBe('its body');
  bodies.of(storeKey('store', 'fourth'), large);
  expect(bodies.of(storeKey('store', 'first'), 'a copy')).toBe('its body');
  for (const id of ['fifth', 'sixth', 'seventh']) bodies.of(storeKey('store', id), large);
  expect(bodies.of(storeKey('store', 'first'), 'read again')).toBe('read again');
  expect(bodies.of(storeKey('store', 'seventh'), 'a copy')).toBe(large);
});

it('an event of another store with the same id has a body of its own', () => {
  const bodies = new SharedBodies();
  bodies.of(storeKey('one', 'event'), 'its body');
  expect(bodies.of(storeKey('two', 'event'), 'another body')).toBe('another body');
});
