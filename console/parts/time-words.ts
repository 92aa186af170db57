/** A day with its year. */
export const year = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });

const UNITS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;

/** Seconds as their two largest units: `2 h 5 min`. */
export const spanText = (seconds: number): string => {
  const whole = Math.max(Math.round(seconds), 0);
  const first = UNITS.findIndex(([length]) => whole >= length);
  if (first < 0) return '0 s';
  const [[length, unit], next] = [UNITS[first] ?? UNITS[3], UNITS[first + 1]];
  const rest = next ? Math.floor((whole % length) / next[0]) : 0;
  const head = `${Math.floor(whole / length)} ${unit}`;
  return next && rest > 0 ? `${head} ${rest} ${next[1]}` : head;
};

/** The clock of the server may be a little ahead. */
const AHEAD_SECONDS = 2;
const JUST_NOW_SECONDS = 5;
const MONTH_SECONDS = 30 * 86_400;

/** From a minute on, seconds say nothing: fifty rows would change with each of them. */
const coarse = (seconds: number): number => (seconds < 60 ? seconds : Math.floor(seconds / 60) * 60);

/** Words for a time that is this many seconds away; negative is the past. What is long ago has its date. */
export const agoText = (at: string, away: number): string => {
  if (away > AHEAD_SECONDS) return `in ${spanText(coarse(away))}`;
  if (away > -JUST_NOW_SECONDS) return 'just now';
  return away < -MONTH_SECONDS ? year.format(new Date(at)) : `${spanText(coarse(-away))} ago`;
};

/** Words for what is to happen then: it has not happened when its time has passed. */
export const dueText = (_at: string, away: number): string => {
  if (away > AHEAD_SECONDS) return `in ${spanText(coarse(away))}`;
  return away > -JUST_NOW_SECONDS ? 'due now' : `overdue by ${spanText(coarse(-away))}`;
};
