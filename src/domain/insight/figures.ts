import { isoTime } from '../time.ts';
import { ok, refuse, type Result } from '../result.ts';

/** The classes by which attempts are counted. `none`: no response came. */
export const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx', 'none'] as const;
export type StatusClass = (typeof STATUS_CLASSES)[number];

/**
 * The upper bounds of the latency histogram in milliseconds. Its last count is of what took longer.
 */
export const LATENCY_BOUNDS_MS = [10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000] as const;

/**
 * The upper bounds in milliseconds of the histogram of what passes between the commit of an event
 * and the start of a delivery's first attempt. Its last count is of what took longer.
 */
export const FIRST_ATTEMPT_BOUNDS_MS = [
  5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 15_000, 60_000, 300_000, 900_000, 3_600_000,
] as const;

/**
 * Days for which figures are kept: by minute, for about as long as one request can ask for, and
 * then by hour. A long range reads sixty times fewer rows for each day that is by hour.
 */
export const KEPT_DAYS = { minute: 2, hour: 90 } as const;

export const STEPS = ['minute', 'hour', 'day'] as const;
export type Step = (typeof STEPS)[number];

export type PerClass = Readonly<Record<StatusClass, number>>;

const STEP_MS: Readonly<Record<Step, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };
const DAY_MS = STEP_MS.day;

/** The number of hours in 90 days. */
const MAX_STEPS = 2_160;
const DEFAULT_STEPS = 60;

/** Steps from `from` until before `to`, in milliseconds since the epoch, both at the edge of a step. */
export interface FigureRange {
  readonly from: number;
  readonly to: number;
  readonly step: Step;
}

export const stepSeconds = (step: Step): number => STEP_MS[step] / 1000;

export const classOf = (status: number | null): number =>
  status === null ? STATUS_CLASSES.indexOf('none') : Math.min(Math.max(Math.floor(status / 100), 2), 5) - 2;

const placeIn = (bounds: readonly number[], milliseconds: number): number => {
  const index = bounds.findIndex((bound) => milliseconds <= bound);
  return index < 0 ? bounds.length : index;
};

/** Counts in the order of STATUS_CLASSES, by their class. */
export const perClass = (counts: readonly number[]): PerClass =>
  Object.fromEntries(STATUS_CLASSES.map((name, index) => [name, counts[index] ?? 0])) as PerClass;

export const latencyOf = (durationMs: number): number => placeIn(LATENCY_BOUNDS_MS, durationMs);

export const firstAttemptOf = (waitedMs: number): number => placeIn(FIRST_ATTEMPT_BOUNDS_MS, waitedMs);

/**
 * The range that was asked for, widened to whole steps. By default it ends now, and never later, and has 60 steps. A
 * range of too many steps, or by minute where only hours are kept, is refused by the names that its ends were given.
 */
export const figureRange = (
  wanted: { readonly from?: number | undefined; readonly to?: number | undefined; readonly step: Step },
  now: number,
  [first, last]: readonly [first: string, last: string] = ['from', 'to'],
): Result<FigureRange, 'invalid'> => {
  const { step } = wanted;
  const length = STEP_MS[step];
  const to = Math.ceil(Math.min(wanted.to ?? now, now) / length) * length;
  const from = Math.floor(Math.max(wanted.from ?? to - DEFAULT_STEPS * length, 0) / length) * length;
  if (from >= to) return refuse('invalid', `${first}: must be before ${last}`);
  const steps = (to - from) / length;
  if (steps > MAX_STEPS) {
    return refuse('invalid', `step: the range has ${String(steps)} steps, and at most ${String(MAX_STEPS)} can be requested`);
  }
  if (step === 'minute' && from < now - KEPT_DAYS.minute * DAY_MS) {
    const earliest = isoTime(Math.ceil((now - KEPT_DAYS.minute * DAY_MS) / length) * length);
    return refuse('invalid', `${first}: figures by minute begin at ${earliest}; request earlier ones with step=hour`);
  }
  return ok({ from, to, step });
};

/** The requested range: times in milliseconds since the epoch. */
export interface WantedRange {
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly step?: Step | undefined;
}

/** Up to which length a range has steps of a minute, and of an hour. */
const RANGES = { minute: 3 * STEP_MS.hour, hour: 7 * DAY_MS };

const stepFor = (lengthMs: number): Step => {
  if (lengthMs <= RANGES.minute) return 'minute';
  return lengthMs <= RANGES.hour ? 'hour' : 'day';
};

/** The range of one receiver or one app: by default the last 24 hours, in steps that suit its length. */
export const recentRange = ({ since, until, step }: WantedRange, now: number): Result<FigureRange, 'invalid'> => {
  const to = Math.min(until ?? now, now);
  const from = since ?? to - DAY_MS;
  return figureRange({ from, to, step: step ?? stepFor(to - from) }, now, ['since', 'until']);
};
