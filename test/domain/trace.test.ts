import { describe, expect, it } from 'vitest';

import { attemptTraceparent, sharedTraceparent, traceparentOf } from '../../src/domain/trace.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const VALID = `00-${TRACE}-${SPAN}-01`;
const DELIVERY = '019a8f3e-6c1b-7d42-9a55-2f0c7e1b4d90';

describe('the traceparent of a request', () => {
  it('is kept as it came, whether sampled or not', () => {
    for (const flags of ['01', '00', 'ff'])
      expect(traceparentOf(`00-${TRACE}-${SPAN}-${flags}`)).toBe(`00-${TRACE}-${SPAN}-${flags}`);
  });
  it('of a later version is read as far as Tenon knows it', () => {
    expect(traceparentOf(`01-${TRACE}-${SPAN}-01-more`)).toBe(VALID);
    expect(traceparentOf(`cc-${TRACE}-${SPAN}-01`)).toBe(VALID);
  });
  it.each([
    undefined,
    '',
    ['a list'],
    [[VALID]],
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `01-${TRACE}-${SPAN}-01more`,
    `00-${TRACE}-${SPAN}-1`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE.slice(1)}-${SPAN}-01`,
    ` ${VALID}`,
    `${VALID}, ${VALID}`,
    `${VALID}\n`,
  ])('is ignored: %j', (header) => {
    expect(traceparentOf(header)).toBeUndefined();
  });
});

describe('the traceparent of an attempt', () => {
  it('is in the trace of its event, with a span of its own for each attempt', () => {
    expect([1, 2].map((number) => attemptTraceparent(VALID, DELIVERY, number))).toEqual([
      `00-${TRACE}-9a552f0c7e1b4d91-01`,
      `00-${TRACE}-9a552f0c7e1b4d92-01`,
    ]);
  });
  it('keeps the flags', () => {
    expect(attemptTraceparent(`00-${TRACE}-${SPAN}-00`, DELIVERY, 1)).toMatch(/-00$/);
  });
  it('is never all zeros', () => {
    const last = '019a8f3e-6c1b-7d42-ffff-ffffffffffff';
    expect(attemptTraceparent(VALID, last, 1)).toBe(`00-${TRACE}-0000000000000001-01`);
    expect(attemptTraceparent(VALID, last, 3)).toBe(`00-${TRACE}-0000000000000002-01`);
  });
  it('is absent where the event belongs to no trace', () => {
    expect(attemptTraceparent(null, DELIVERY, 1)).toBeNull();
  });
});

describe('the traceparent that a receiver gets', () => {
  const sent = (origin: string | null, installationId: string | null) =>
    sharedTraceparent({ traceparent: VALID, origin }, { installationId, deliveryId: DELIVERY, number: 1 });

  it.each([
    ['an app, of its own event', 'app', 'app'],
    ['the merchant, of their own event', null, null],
  ])('is in the trace of the event for %s', (_case, origin, installationId) => {
    expect(sent(origin, installationId)).toBe(`00-${TRACE}-9a552f0c7e1b4d91-01`);
  });
  it.each([
    ["an app, of another app's event", 'other', 'app'],
    ["an app, of the merchant's event", null, 'app'],
    ["the merchant, of an app's event", 'app', null],
  ])('is absent for %s', (_case, origin, installationId) => {
    expect(sent(origin, installationId)).toBeNull();
  });
});
