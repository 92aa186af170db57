import { refuse } from '../result.ts';

/** Host names of one installation that are looked up at once. Its others wait. */
export const MAX_NAME_LOOK_UPS = 4;

/** The longest look-up of a host name, and the longest wait for its place. */
export const NAME_LOOK_UP_SECONDS = 2;

export const NAMES_BUSY = refuse(
  'rate_limited',
  `At most ${String(MAX_NAME_LOOK_UPS)} host names of an installation are looked up at once. Retry after the number of seconds in Retry-After.`,
);
