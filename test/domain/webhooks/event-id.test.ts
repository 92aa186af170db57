import { expect, it } from 'vitest';

import { isEventId } from '../../../src/domain/webhooks/event-id.ts';

it.each(['order-1', 'a b', 'ü', 'x'.repeat(255)])('a merchant may call an event %j', (id) => {
  expect(isEventId(id)).toBe(true);
});

it.each(['', 'x'.repeat(256), 'a\nb', '\u{0}', '\u{202e}'])('a merchant may not call an event %j', (id) => {
  expect(isEventId(id)).toBe(false);
});
