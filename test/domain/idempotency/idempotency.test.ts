import { describe, expect, it } from 'vitest';

import { begin, parseKey, settleKey, type KeyRecord } from '../../../src/domain/idempotency/idempotency.ts';

const SAME = 'a'.repeat(64);
const OTHER = 'b'.repeat(64);

const record = (state: KeyRecord['state'], replayable = true): KeyRecord => ({ state, fingerprint: SAME, replayable });

describe('Life of a key (docs/specification/idempotency.md)', () => {
  it.each([
    ['running | same key, same request again | original not finished | running | response 409', record('running'), SAME, 'wait'],
    ['Same key, different request: 422, also while the first is running', record('running'), OTHER, 'mismatch'],
    [
      'finished | same key, same request | original status and body returned; nothing runs again',
      record('finished'),
      SAME,
      'replay',
    ],
    ['finished | same key, different request | 422', record('finished'), OTHER, 'mismatch'],
    [
      'finished | same key, same request | original response larger than 256 KB | 409',
      record('finished', false),
      SAME,
      'unreplayable',
    ],
    ['finished, not replayable | different request | 422', record('finished', false), OTHER, 'mismatch'],
    ['finished | 24 hours elapse | unknown | the same key starts a new request', record('expired'), SAME, 'take-over'],
    ['finished | 24 hours elapse | a different request may have the key too', record('expired'), OTHER, 'take-over'],
    ['running | status 5xx | released | a retry executes the request again', record('abandoned'), SAME, 'run'],
    ['released | a different request may have the key', record('abandoned'), OTHER, 'take-over'],
  ] as const)('%s', (_row, stored, fingerprint, expected) => {
    expect(begin(stored, fingerprint)).toBe(expected);
  });

  it.each([
    ['running | original finishes | status below 500 | finished | response is remembered', 200, 10, 'remember'],
    ['A 400 from JSON or schema is below 500, so it is remembered', 400, 10, 'remember'],
    ['At most 262,144 body bytes are kept', 200, 262_144, 'remember'],
    ['one more: 409 idempotency_not_replayable', 200, 262_145, 'remember-without-body'],
    ['running | original finishes | status 5xx | released', 500, 10, 'release'],
    ['503 is 5xx too', 503, 10, 'release'],
  ] as const)('%s', (_row, status, bytes, expected) => {
    expect(settleKey(status, bytes, 262_144)).toBe(expected);
  });
});

describe('A key is trimmed; blank, over 255 characters, outside 0x20-0x7E: 400', () => {
  it.each([
    ['a plain key', 'order-42', 'order-42'],
    ['trimmed', '  order-42 ', 'order-42'],
    ['inner spaces stay', 'order 42', 'order 42'],
    ['255 characters', 'k'.repeat(255), 'k'.repeat(255)],
    ['256 characters', 'k'.repeat(256), null],
    ['empty', '', null],
    ['blank', '   ', null],
    ['latin-1', 'ordré', null],
    ['a control character', 'a\tb', null],
    ['DEL', 'a\x7fb', null],
  ])('%s', (_title, header, key) => {
    expect(parseKey(header)).toBe(key);
  });
});
