import type { Stats } from '../../api/types.ts';

interface Range {
  readonly name: string;
  readonly seconds: number;
  readonly step: Stats['step'];
  readonly everyMs: number;
}

export const RANGE_NAMES = ['1h', '24h', '7d', '30d'] as const;
export type RangeName = (typeof RANGE_NAMES)[number];
export const DEFAULT_RANGE: RangeName = '24h';

const HOUR = 3_600;
const DAY = 24 * HOUR;

export const RANGES: Readonly<Record<RangeName, Range>> = {
  '1h': { name: '1 hour', seconds: HOUR, step: 'minute', everyMs: 10_000 },
  '24h': { name: '24 hours', seconds: DAY, step: 'hour', everyMs: 20_000 },
  '7d': { name: '7 days', seconds: 7 * DAY, step: 'hour', everyMs: 60_000 },
  '30d': { name: '30 days', seconds: 30 * DAY, step: 'day', everyMs: 60_000 },
};

export const STEP_SECONDS: Readonly<Record<Stats['step'], number>> = { minute: 60, hour: HOUR, day: DAY };

interface Ranged<Step> {
  readonly from: string;
  readonly to: string;
  readonly step: Stats['step'];
  readonly steps: readonly Step[];
}

/** Every step of the range, with its beginning in seconds since the epoch. The API leaves out those in which nothing happened. */
export const everyStep = <Step extends { readonly at: string }>(
  { from, to, step, steps }: Ranged<Step>,
  nothing: Omit<Step, 'at'>,
): readonly (Omit<Step, 'at'> & { readonly second: number })[] => {
  const known = new Map(steps.map((one) => [Date.parse(one.at) / 1000, one]));
  const length = STEP_SECONDS[step];
  const first = Date.parse(from) / 1000;
  return Array.from({ length: Math.round((Date.parse(to) / 1000 - first) / length) }, (_, index) => {
    const second = first + index * length;
    return { ...nothing, ...known.get(second), second };
  });
};

export const countOf = (classes: Readonly<Record<string, number>>): number =>
  Object.values(classes).reduce((sum, count) => sum + count, 0);

export const NO_ANSWERS = { '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0, none: 0 } as const;
