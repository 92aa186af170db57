import { describe, expect, it } from 'vitest';

import { FIRST_ATTEMPT_BOUNDS_MS, LATENCY_BOUNDS_MS } from '../../../src/domain/insight/figures.ts';
import { joinSteps, type DeliveryCounts, type RefusalCount } from '../../../src/domain/insight/join-steps.ts';

const [FIRST, SECOND, THIRD] = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:01:00.000Z', '2026-01-01T00:02:00.000Z'] as const;

const delivered = (step: string): DeliveryCounts => ({
  step,
  delivered: 3,
  failed: 2,
  dropped: 1,
  attempts: [3, 0, 1, 1, 0],
  latency: [5],
  firstAttempt: [4],
  filtered: 6,
  gathered: 7,
});
const refused = (step: string, reason: string): RefusalCount => ({ step, check: 'token', reason, count: 1 });

describe('what happened in each step', () => {
  it('is what was delivered in it, and what was refused', () => {
    const { step, delivered: ok, failed, dropped, ...figures } = delivered(FIRST);
    expect(joinSteps([delivered(FIRST)], [refused(FIRST, 'expired'), refused(FIRST, 'revoked')])).toEqual([
      {
        ...figures,
        at: step,
        deliveries: { delivered: ok, failed, dropped },
        attempts: { '2xx': 3, '3xx': 0, '4xx': 1, '5xx': 1, none: 0 },
        refusals: [
          { check: 'token', reason: 'expired', count: 1 },
          { check: 'token', reason: 'revoked', count: 1 },
        ],
      },
    ]);
  });
  it('comes in the order of time, with the steps that have only one of both', () => {
    const steps = joinSteps([delivered(THIRD), delivered(SECOND)], [refused(SECOND, 'expired'), refused(FIRST, 'expired')]);
    expect(steps.map(({ at, deliveries, refusals }) => [at, deliveries.delivered, refusals.length])).toEqual([
      [FIRST, 0, 1],
      [SECOND, 3, 1],
      [THIRD, 3, 0],
    ]);
  });
  it('counts zero in every place where nothing was delivered', () => {
    const [step] = joinSteps([], [refused(FIRST, 'expired')]);
    expect(step).toMatchObject({
      deliveries: { delivered: 0, failed: 0, dropped: 0 },
      attempts: { '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0, none: 0 },
      filtered: 0,
      gathered: 0,
    });
    expect(step?.latency).toEqual(Array<number>(LATENCY_BOUNDS_MS.length + 1).fill(0));
    expect(step?.firstAttempt).toEqual(Array<number>(FIRST_ATTEMPT_BOUNDS_MS.length + 1).fill(0));
  });
});
