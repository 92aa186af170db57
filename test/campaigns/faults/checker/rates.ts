import type { Moment } from '../history.ts';
import { isSuccess, type Outage, type Probe } from '../outage.ts';

const SECOND_MS = 1_000;
const BEFORE_SECONDS = 6;

/** The mean of the middle half: a second in which the machine did something else does not count. */
const middleMean = (values: readonly number[]): number => {
  const sorted = [...values].sort((one, other) => one - other);
  const quarter = Math.floor(sorted.length / 4);
  const middle = sorted.slice(quarter, sorted.length - quarter);
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
};

/** Writes a second, from that moment on. */
const rateOf = (writes: readonly Probe[], from: Moment, length: number): number =>
  middleMean(
    Array.from({ length }, (_, at) => {
      const begin = from + at * SECOND_MS;
      return writes.filter(({ endedAt }) => endedAt >= begin && endedAt < begin + SECOND_MS).length;
    }),
  );

/** The writes of all nodes, before and after the first second. */
export const ratesOf = ({ probes, from, until }: Outage): { readonly before: number; readonly during: number } => {
  const writes = probes.filter((probe) => probe.name === 'write' && isSuccess(probe));
  return {
    before: rateOf(writes, from - BEFORE_SECONDS * SECOND_MS, BEFORE_SECONDS),
    during: rateOf(writes, from + SECOND_MS, Math.floor((until - from) / SECOND_MS) - 1),
  };
};
