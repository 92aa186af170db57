import { expect, it } from 'vitest';

import { spanOf } from '../../../src/domain/insight/found.ts';

it('a request with a UUID of version 7 wrote its events from 10 s before its time until 60 s after it', () => {
  const at = Date.UTC(2026, 10, 23);
  const hex = at.toString(16).padStart(12, '0');
  const id = `${hex.slice(0, 8)}-${hex.slice(8)}-7abc-8abc-0123456789ab`;
  expect(spanOf(id)).toEqual({ from: at - 10_000, to: at + 60_000 });
});

it('nothing is known of the time of another id', () => {
  expect(spanOf('00000000-0000-4000-8000-000000000001')).toBeNull();
});
