const DAY = 86_400;
const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const DATE = { day: 'numeric', month: 'short' } as const;

/** A step of a day begins at 00:00 UTC. In the reader's zone, that is the day before for some. */
const isDaily = (stepSeconds: number): boolean => stepSeconds >= DAY;

/** Where the axis has its marks: at the days of UTC for steps of a day, else in the reader's zone. */
export const axisZone = (stepSeconds: number): 'UTC' | undefined => (isDaily(stepSeconds) ? 'UTC' : undefined);

/** The times of a range within a day, else the dates. */
export const axisFormat = (at: readonly number[], stepSeconds: number): Intl.DateTimeFormat => {
  if (isDaily(stepSeconds)) return new Intl.DateTimeFormat(undefined, { ...DATE, timeZone: 'UTC' });
  return new Intl.DateTimeFormat(undefined, (at.at(-1) ?? 0) - (at[0] ?? 0) <= DAY ? TIME : DATE);
};

/** The time at which a step begins. A day has its zone, which is not the reader's. */
export const stepFormat = (stepSeconds: number): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(
    undefined,
    isDaily(stepSeconds) ? { ...DATE, timeZone: 'UTC', timeZoneName: 'short' } : { ...DATE, ...TIME },
  );

interface Shown {
  readonly kind: 'bars' | 'lines';
  readonly unit: (value: number) => string;
}

const sum = (values: readonly (number | null)[]): number => values.reduce<number>((total, value) => total + (value ?? 0), 0);

/**
 * Text of the legend for a series: the step under the pointer, or the sum of bars. Nothing was
 * measured where a line has a gap.
 */
export const shownOf = (values: readonly (number | null)[], pointed: number | null, { kind, unit }: Shown): string => {
  if (pointed === null) return kind === 'bars' ? unit(sum(values)) : '';
  const value = values[pointed] ?? null;
  return value === null && kind === 'lines' ? '–' : unit(value ?? 0);
};
