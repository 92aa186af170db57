/** A time in UTC as the server has it: `2026-11-23 09:30:00`. */
export const shortTime = (iso: string): string => iso.slice(0, 19).replace('T', ' ');

/** The time of day for a line of what happens now: `09:30:00`. */
export const timeOfDay = (iso: string): string => iso.slice(11, 19);

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A time further away is a date, which is clearer than a number of days. */
const FAR = 30 * DAY;

const span = (seconds: number): string => {
  if (seconds < MINUTE) return `${String(seconds)}s`;
  if (seconds < HOUR) return `${String(Math.floor(seconds / MINUTE))}m`;
  return seconds < DAY ? `${String(Math.floor(seconds / HOUR))}h` : `${String(Math.floor(seconds / DAY))}d`;
};

/** `now`, `12s ago`, `5m ago`, `3h ago`, `2d ago`, `in 30s`, or the date. */
export const relativeTime = (iso: string, now: number): string => {
  const seconds = Math.round((Date.parse(iso) - now) / 1_000);
  if (seconds === 0) return 'now';
  const away = Math.abs(seconds);
  if (away >= FAR) return iso.slice(0, 10);
  return seconds < 0 ? `${span(away)} ago` : `in ${span(away)}`;
};
