/** A longer header is useless: no wait is as long as a year. */
const MAX_DIGITS = 8;

/**
 * The seconds of a Retry-After header (RFC 9110, 10.2.3): a whole number or an HTTP date. `now` is
 * in milliseconds since the epoch. A past date gives 0. Null when the header cannot be read.
 */
export const retryAfterSeconds = (header: string | null, now: number): number | null => {
  if (header === null) return null;
  const text = header.trim();
  if (/^\d+$/.test(text)) return text.length > MAX_DIGITS ? null : Number(text);
  const date = /^[A-Z][a-z]+, .* GMT$/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1000));
};
