import type { Stats } from '../../api/types.ts';
import { STEP_SECONDS } from './ranges.ts';

type Step = Stats['steps'][number];

/** A step in which nothing happened: the API leaves it out. */
const NOTHING: Omit<Step, 'at'> = {
  deliveries: { delivered: 0, failed: 0, dropped: 0 },
  attempts: { '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0, none: 0 },
  latency: [],
  firstAttempt: [],
  filtered: 0,
  refusals: [],
};

/** Every step of the range, with its beginning in seconds since the epoch. */
export const everyStep = ({ from, to, step, steps }: Stats): readonly (Omit<Step, 'at'> & { readonly second: number })[] => {
  const known = new Map(steps.map((one) => [Date.parse(one.at) / 1000, one]));
  const length = STEP_SECONDS[step];
  const first = Date.parse(from) / 1000;
  return Array.from({ length: Math.round((Date.parse(to) / 1000 - first) / length) }, (_, index) => {
    const second = first + index * length;
    return { ...NOTHING, ...known.get(second), second };
  });
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Lists of the same length, added place by place. */
const added = (lists: readonly (readonly number[])[]): readonly number[] =>
  lists.reduce((total, list) => list.map((count, index) => count + (total[index] ?? 0)), []);

/** The figures of the whole range. */
export const sumsOf = ({ steps }: Stats) => ({
  succeeded: sum(steps.map(({ attempts }) => attempts['2xx'])),
  attempts: sum(steps.flatMap(({ attempts }) => Object.values(attempts))),
  delivered: sum(steps.map(({ deliveries }) => deliveries.delivered)),
  failed: sum(steps.map(({ deliveries }) => deliveries.failed)),
  refusals: sum(steps.flatMap(({ refusals }) => refusals.map(({ count }) => count))),
  latency: added(steps.map(({ latency }) => latency)),
  firstAttempt: added(steps.map(({ firstAttempt }) => firstAttempt)),
});
