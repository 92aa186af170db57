import { describe, expect, it } from 'vitest';

import { keptOfNoStore, type KeptRefusal } from '../../../src/domain/insight/refused-request.ts';

const refusal = (n: number, more: Partial<KeptRefusal> = {}): KeptRefusal => ({
  id: String(n).padStart(2, '0'),
  at: n,
  route: 'POST /apps/token',
  status: 401,
  code: 'unauthenticated',
  reason: 'unknown_client',
  check: 'token',
  storeId: null,
  host: `${String(n)}.example`,
  installationId: null,
  durationMs: 1,
  leftOut: 0,
  ...more,
});
const many = (count: number, more: Partial<KeptRefusal> = {}): KeptRefusal[] =>
  Array.from({ length: count }, (_, n) => refusal(n, more));
const idsOf = (kept: readonly KeptRefusal[]): string[] => kept.map(({ id }) => id);

describe('of the refusals for hosts that no store has', () => {
  it('each is kept as it is while there are ten of a reason', () => {
    const ten = many(10, { leftOut: 2 });
    expect(keptOfNoStore(ten)).toEqual(ten);
  });
  it('the first ten are kept, and the tenth counts the others with what these stand for', () => {
    const kept = keptOfNoStore([...many(10, { leftOut: 1 }), refusal(10), refusal(11, { leftOut: 4 })]);
    expect(kept.map(({ leftOut }) => leftOut)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 7]);
  });
  it('ten of each reason are kept', () => {
    const kept = keptOfNoStore([...many(11), ...many(12, { reason: 'no_token' })]);
    expect(kept.flatMap(({ reason, leftOut }) => (leftOut === 0 ? [] : [[reason, leftOut]]))).toEqual([
      ['unknown_client', 1],
      ['no_token', 2],
    ]);
    expect(kept).toHaveLength(20);
  });
  it('the earliest are kept, and of the same time those with the lowest ids', () => {
    const late = refusal(0, { at: 100 });
    expect(idsOf(keptOfNoStore([late, ...many(11).slice(1)]))).toEqual(idsOf(many(11).slice(1)));
    const together = many(12, { at: 5 });
    expect(idsOf(keptOfNoStore(together.toReversed()))).toEqual(idsOf(together.slice(0, 10)));
    expect(idsOf(keptOfNoStore(together))).toEqual(idsOf(together.slice(0, 10)));
  });
});
