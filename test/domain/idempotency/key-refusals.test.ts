import { expect, it } from 'vitest';

import { KEY_IN_PROGRESS, KEY_NOT_REPLAYABLE, KEY_REUSED } from '../../../src/domain/idempotency/key-use.ts';

it.each([
  ['a running request', KEY_IN_PROGRESS, 'idempotency_in_progress', /still running\. Retry after .* Retry-After\.$/],
  ['another request', KEY_REUSED, 'idempotency_key_reused', /used for a different request\.$/],
  ['a response that is too large', KEY_NOT_REPLAYABLE, 'idempotency_not_replayable', /work .* is done\. .* Do not retry\.$/],
])('the refusal for %s has a public code, and says what to do', (_, refusal, code, message) => {
  expect(refusal).toMatchObject({ ok: false, code });
  expect(refusal.message).toMatch(message);
});
