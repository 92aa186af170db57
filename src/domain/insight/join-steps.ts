import type { FigureStep } from '../ports/insight/figures.ts';
import { FIRST_ATTEMPT_BOUNDS_MS, LATENCY_BOUNDS_MS, perClass, STATUS_CLASSES } from './figures.ts';

export interface DeliveryCounts {
  readonly step: string;
  readonly delivered: number;
  readonly failed: number;
  readonly dropped: number;
  readonly attempts: readonly number[];
  readonly latency: readonly number[];
  readonly firstAttempt: readonly number[];
  readonly filtered: number;
  readonly gathered: number;
}

export type RefusalCount = FigureStep['refusals'][number] & { readonly step: string };

const NOTHING = {
  delivered: 0,
  failed: 0,
  dropped: 0,
  attempts: STATUS_CLASSES.map(() => 0),
  latency: [...LATENCY_BOUNDS_MS, Infinity].map(() => 0),
  firstAttempt: [...FIRST_ATTEMPT_BOUNDS_MS, Infinity].map(() => 0),
  filtered: 0,
  gathered: 0,
};

export const joinSteps = (deliveries: readonly DeliveryCounts[], refusals: readonly RefusalCount[]): FigureStep[] => {
  const byStep = new Map(deliveries.map((row) => [row.step, row]));
  const refused = new Map<string, FigureStep['refusals'][number][]>();
  for (const { step, ...row } of refusals) refused.set(step, [...(refused.get(step) ?? []), row]);
  return [...new Set([...byStep.keys(), ...refused.keys()])].sort().map((at) => {
    const { delivered, failed, dropped, attempts, latency, firstAttempt, filtered, gathered } = byStep.get(at) ?? NOTHING;
    return {
      at,
      deliveries: { delivered, failed, dropped },
      attempts: perClass(attempts),
      latency,
      firstAttempt,
      filtered,
      gathered,
      refusals: refused.get(at) ?? [],
    };
  });
};
