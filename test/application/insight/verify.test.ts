import { describe, expect, it } from 'vitest';

import { manualClock } from '../../memory/clock.ts';
import { verify } from '../../../src/application/insight/verify.ts';
import { INVARIANT_NAMES } from '../../../src/domain/insight/invariants.ts';
import type { Counted, Invariants } from '../../../src/domain/ports/insight/invariants.ts';

const NONE: Counted = { counted: 3, violated: 0, isSample: false, examples: [] };
const reading = (check: Invariants['check'], clock = manualClock()) => verify({ invariants: { check }, clock });
const all = (check: Invariants['check'], clock = manualClock()) => reading(check, clock)(null);

describe('verify', () => {
  it('is ok when each check is complete and finds nothing', async () => {
    expect(await all(async () => NONE)).toMatchObject({ ok: true });
  });
  it('is not ok with a violation', async () => {
    expect(await all(async () => ({ ...NONE, violated: 1, examples: ['x'] }))).toMatchObject({ ok: false });
  });
  it('is not ok with a check that did not end, which has no counts', async () => {
    const { ok, invariants } = await all(async (name) => (name === 'events_placed' ? null : NONE));
    expect(ok).toBe(false);
    expect(invariants.filter(({ isComplete }) => !isComplete)).toMatchObject([
      { name: 'events_placed', counted: null, violated: null, isSample: true, examples: [] },
    ]);
  });
  it('is a sample when the check says so', async () => {
    const { invariants } = await all(async (name) => ({ ...NONE, isSample: name === 'events_placed' }));
    expect(invariants.flatMap(({ name, isSample }) => (isSample ? [name] : []))).toEqual(['events_placed']);
  });
  it('begins no check after 4.4 s, so that all end in 5 s', async () => {
    const clock = manualClock();
    const slow: Invariants['check'] = async () => {
      clock.advance(2_200);
      return NONE;
    };
    const { ok, invariants, durationMs } = await all(slow, clock);
    expect([ok, durationMs]).toEqual([false, 4_400]);
    expect(invariants.map(({ isComplete }) => isComplete)).toEqual(INVARIANT_NAMES.map((_, at) => at < 2));
  });
  it('checks the one that is named alone, with more time', async () => {
    const asked: unknown[] = [];
    const read = reading(async (name, _limit, timeoutMs) => {
      asked.push([name, timeoutMs]);
      return NONE;
    });
    const { ok, invariants } = await read('queue_pending');
    expect([ok, invariants.map(({ name }) => name)]).toEqual([true, ['queue_pending']]);
    await read(null);
    expect(asked).toEqual([['queue_pending', 20_000], ...INVARIANT_NAMES.map((name) => [name, 550])]);
  });
  it('calls at the same time share one reading, and a later call reads again', async () => {
    let checks = 0;
    const read = reading(async () => {
      checks += 1;
      return NONE;
    });
    const [one, other] = await Promise.all([read(null), read(null)]);
    expect(other).toBe(one);
    expect(checks).toBe(INVARIANT_NAMES.length);
    await read(null);
    expect(checks).toBe(2 * INVARIANT_NAMES.length);
  });
  it('reads again after a failure', async () => {
    let fails = true;
    const read = reading(async () => {
      if (fails) throw new Error('broken');
      return NONE;
    });
    await expect(read(null)).rejects.toThrow('broken');
    fails = false;
    expect(await read(null)).toMatchObject({ ok: true });
  });
});
