const HOUR_MS = 3_600_000;

export const PERIODS = [
  ['', 'Any time'],
  ['1', 'Last hour'],
  ['24', 'Last 24 hours'],
  ['168', 'Last 7 days'],
] as const;

/** Filter by time, in ISO format. */
export interface Range {
  readonly since: string | undefined;
  readonly until: string | undefined;
}

/** By how much the length of a period may differ, because it was counted from a now that has passed. */
const TOLERANCE = 0.1;

/** The period that the range is, or null. Periods are counted from now, so it is found by its length. */
export const periodOf = ({ since, until }: Range, now: number): string | null => {
  if (until !== undefined) return null;
  if (since === undefined) return '';
  const hours = (now - Date.parse(since)) / HOUR_MS;
  return PERIODS.find(([length]) => length !== '' && Math.abs(hours - Number(length)) <= Number(length) * TOLERANCE)?.[0] ?? null;
};

/** When a period begins that ends now. */
export const sinceOf = (period: string, now: number): string | undefined =>
  period === '' ? undefined : new Date(now - Number(period) * HOUR_MS).toISOString();

const format = new Intl.DateTimeFormat(undefined, {
  ...{ day: 'numeric', month: 'short' },
  ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
});

/** A range that is not one of the periods, in words. */
export const rangeText = ({ since, until }: Range): string => {
  const [from, to] = [since, until].map((at) => (at === undefined ? undefined : new Date(at)));
  if (from && to) return format.formatRange(from, to);
  if (from) return `Since ${format.format(from)}`;
  return to ? `Before ${format.format(to)}` : '';
};
