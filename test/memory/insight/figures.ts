import { perClass, stepSeconds, STATUS_CLASSES, type FigureRange } from '../../../src/domain/insight/figures.ts';
import { joinSteps, type DeliveryCounts, type RefusalCount } from '../../../src/domain/insight/join-steps.ts';
import type { Check } from '../../../src/domain/insight/refused-request.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { Figures, FigureStep } from '../../../src/domain/ports/insight/figures.ts';
import { isoTime } from '../../../src/domain/time.ts';
import { storesOf } from '../identity/identity-tables.ts';
import type { MemoryState } from '../state.ts';
import { addFigures, figuresOf, PLACES, type FigureRow } from './figure-tables.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const added = (all: readonly FigureRow[]): readonly number[] =>
  all.reduce<readonly number[]>((sum, { counts }) => counts.map((count, index) => count + (sum[index] ?? 0)), []);

const deliveriesIn = (step: string, rows: readonly FigureRow[]): DeliveryCounts[] => {
  const own = rows.filter(({ of }) => typeof of === 'string');
  if (own.length === 0) return [];
  const sums = added(own);
  const [delivered = 0, failed = 0, dropped = 0] = sums;
  return [
    {
      step,
      delivered,
      failed,
      dropped,
      attempts: sums.slice(PLACES.attempts, PLACES.latency),
      latency: sums.slice(PLACES.latency, PLACES.firstAttempt),
      firstAttempt: sums.slice(PLACES.firstAttempt, PLACES.filtered),
      filtered: sums[PLACES.filtered] ?? 0,
      gathered: sums[PLACES.gathered] ?? 0,
    },
  ];
};

const refusalsIn = (step: string, rows: readonly FigureRow[]): RefusalCount[] => {
  const names = [...new Set(rows.flatMap(({ of }) => (Array.isArray(of) ? [JSON.stringify(of)] : [])))].sort();
  return names.map((name) => {
    const [check, reason] = JSON.parse(name) as [Check, string];
    return { step, check, reason, count: added(rows.filter(({ of }) => JSON.stringify(of) === name))[0] ?? 0 };
  });
};

export const figures = (state: MemoryState, clock: Clock): Figures => {
  const take = (unit: FigureRow['unit'], days: number, limit: number): FigureRow[] => {
    const old = [...figuresOf(state)]
      .filter(([, row]) => row.unit === unit && row.at < clock.now() - days * DAY_MS)
      .slice(0, limit);
    for (const [key] of old) figuresOf(state).delete(key);
    return old.map(([, row]) => row);
  };
  const rowsIn = ({ from, to, step }: FigureRange, isWanted: (row: FigureRow) => boolean) => {
    const length = stepSeconds(step) * 1000;
    const rows = [...figuresOf(state).values()].filter((row) => isWanted(row) && row.at >= from && row.at < to);
    const stepOf = ({ at }: FigureRow): string => isoTime(Math.floor(at / length) * length);
    return [...new Set(rows.map(stepOf))].sort().map((at) => [at, rows.filter((row) => stepOf(row) === at)] as const);
  };
  const stepsIn = (range: FigureRange, isWanted: (row: FigureRow) => boolean): readonly FigureStep[] => {
    const steps = rowsIn(range, isWanted);
    return joinSteps(
      steps.flatMap(([at, own]) => deliveriesIn(at, own)),
      steps.flatMap(([at, own]) => refusalsIn(at, own)),
    );
  };
  return {
    read: async (storeId, range) => (storesOf(state).has(storeId) ? stepsIn(range, (row) => row.storeId === storeId) : null),
    readOf: async ({ storeId, subscriptionId }, range) =>
      stepsIn(range, (row) => row.storeId === storeId && row.of === subscriptionId),
    addCalls: async (calls) => {
      for (const { storeId, installationId, at, answers, latency } of calls) {
        if (!storesOf(state).has(storeId)) continue;
        addFigures(state, { storeId, unit: 'minute', at, of: { installationId }, counts: [...answers, ...latency] });
      }
    },
    callsOf: async ({ storeId, installationId }, range) => {
      const isOwn = ({ of }: FigureRow): boolean =>
        typeof of === 'object' && 'installationId' in of && of.installationId === installationId;
      return rowsIn(range, (row) => row.storeId === storeId && isOwn(row)).map(([at, own]) => {
        const sums = added(own);
        return { at, answers: perClass(sums), latency: sums.slice(STATUS_CLASSES.length) };
      });
    },
    recentRefusals: async (storeId, since) => {
      const rows = [...figuresOf(state).values()].filter(
        (row) => row.storeId === storeId && row.at >= Math.floor(since / MINUTE_MS) * MINUTE_MS,
      );
      const refusals = refusalsIn('', rows).map(({ step: _, ...row }) => row);
      return refusals.sort((a, b) => b.count - a.count).slice(0, 50);
    },
    condense: async (days, limit) => {
      const old = take('minute', days, limit);
      for (const row of old) addFigures(state, { ...row, unit: 'hour' });
      return old.length;
    },
    purge: async (days, limit) => take('hour', days, limit).length,
  };
};
