import type { Stats } from '../../api/types.ts';
import { NO_ANSWERS } from './ranges.ts';

/** A step in which nothing happened. */
export const NOTHING: Omit<Stats['steps'][number], 'at'> = {
  deliveries: { delivered: 0, failed: 0, dropped: 0 },
  attempts: NO_ANSWERS,
  latency: [],
  firstAttempt: [],
  filtered: 0,
  gathered: 0,
  refusals: [],
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Lists of the same length, added place by place. */
const added = (lists: readonly (readonly number[])[]): readonly number[] =>
  lists.reduce((total, list) => list.map((count, index) => count + (total[index] ?? 0)), []);

export const sumsOf = ({ steps }: Stats) => ({
  succeeded: sum(steps.map(({ attempts }) => attempts['2xx'])),
  attempts: sum(steps.flatMap(({ attempts }) => Object.values(attempts))),
  delivered: sum(steps.map(({ deliveries }) => deliveries.delivered)),
  failed: sum(steps.map(({ deliveries }) => deliveries.failed)),
  refusals: sum(steps.flatMap(({ refusals }) => refusals.map(({ count }) => count))),
  latency: added(steps.map(({ latency }) => latency)),
  firstAttempt: added(steps.map(({ firstAttempt }) => firstAttempt)),
});
