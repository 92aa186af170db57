import { ok, refuse, type Result } from '../result.ts';
import { isLongerThan } from '../values/text.ts';

/** Equals the limit of the feed's filter. */
const MAX_RESOURCE = 255;

const BAD_ID = refuse(
  'invalid',
  `data.id must be a text of at most ${MAX_RESOURCE} characters, or a whole number that JSON keeps exactly.`,
);

/**
 * The resource that a merchant's event is about, for its order and for searches: a number as its decimal text. Null where the
 * data names none. Refuses an id that could not be looked for (docs/specification/feed.md, "The merchant's events").
 */
export const eventResource = ({ id }: Readonly<Record<string, unknown>>): Result<string | null, 'invalid'> => {
  if (id === undefined || id === null) return ok(null);
  if (typeof id === 'number') return Number.isSafeInteger(id) ? ok(String(id)) : BAD_ID;
  return typeof id === 'string' && !isLongerThan(id, MAX_RESOURCE) ? ok(id === '' ? null : id) : BAD_ID;
};
