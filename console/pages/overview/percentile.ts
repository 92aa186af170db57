import type { Percentile } from '../../../src/adapters/http/console/shared.ts';

const SECOND_MS = 1_000;

/** `38 ms`, `1.4 s`, or `over 10 s`. */
export const durationText = ({ ms, isOver }: Percentile): string => {
  const text = ms < SECOND_MS ? `${Math.max(Math.round(ms), 1)} ms` : `${Number((ms / SECOND_MS).toPrecision(2))} s`;
  return isOver ? `over ${text}` : text;
};

/** Text for the axis of a chart. */
export const msText = (ms: number): string => (ms === 0 ? '0' : durationText({ ms, isOver: false }));
