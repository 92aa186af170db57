import { expect, it } from 'vitest';

import { defaultOf } from '../../../src/adapters/wiring/settings/config.ts';
import { askedTooOften, MAX_RETRY_AFTER_SECONDS, retryWait } from '../../../src/domain/media/media-import.ts';

const WAITS = defaultOf('MEDIA_RETRY_SECONDS').split(',').map(Number);

it.each([
  [1, null, 5],
  [1, 0, 5],
  [1, 6, 6],
  [2, 6, 30],
  [3, null, 120],
  [4, null, 600],
  [4, 899, 899],
  [4, 901, 900],
  [1, 99_999_999, 900],
  [5, null, null],
  [5, 1, null],
  [6, 1, null],
])('a host that was asked %i times, and says to wait %j seconds, is asked again after %j', (asked, retryAfter, wait) => {
  expect(retryWait(asked, retryAfter, WAITS)).toBe(wait);
});

it('a host keeps an import open for at most an hour', () => {
  expect(WAITS.length * MAX_RETRY_AFTER_SECONDS).toBe(3600);
});

it('the reason names the last answer and how often the host was asked', () => {
  expect(askedTooOften('The host answered 429 (Too Many Requests).', 5)).toBe(
    'The host answered 429 (Too Many Requests). The host was asked 5 times.',
  );
});
