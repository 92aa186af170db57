import type { Stats } from '../../api/types.ts';

interface Range {
  readonly name: string;
  readonly seconds: number;
  readonly step: Stats['step'];
  /** How often its figures are read again. */
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
