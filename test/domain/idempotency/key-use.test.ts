import { expect, it } from 'vitest';

import { KEY_IN_PROGRESS, KEY_NOT_REPLAYABLE, KEY_REUSED, useOf } from '../../../src/domain/idempotency/key-use.ts';
import { ok } from '../../../src/domain/result.ts';

it.each([
  ['a replay', ok({ isReplay: true }), 'replays'],
  ['the request that did the work', ok({ isReplay: false }), null],
  ['a request while another runs', KEY_IN_PROGRESS, 'conflicts'],
  ['another request with the key', KEY_REUSED, 'mismatches'],
  ['a response that was not kept', KEY_NOT_REPLAYABLE, null],
] as const)('%s counts as it should', (_title, answer, use) => {
  expect(useOf(answer)).toBe(use);
});
