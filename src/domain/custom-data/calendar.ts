const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME =
  /^(?<date>\d{4}-\d{2}-\d{2})[Tt](?<time>(?:[01]\d|2[0-3]):[0-5]\d)(?::(?<second>[0-5]\d)(?:\.(?<fraction>\d{1,3})\d{0,6})?)?(?<zone>[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** The milliseconds by which a zone (`Z`, `+hh:mm`) is ahead of UTC. */
const offsetOf = (zone: string): number => {
  const [hours = 0, minutes = 0] = zone.slice(1).split(':').map(Number);
  return (hours * 60 + minutes) * 60_000 * (zone.startsWith('-') ? -1 : 1);
};

const daysIn = (year: number, month: number): number => {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
};

/** The text when it is a calendar day from year 1 to 9999 as YYYY-MM-DD; otherwise null. */
export const parseDate = (text: string): string | null => {
  const [year = 0, month = 0, day = 0] = DATE.exec(text)?.slice(1).map(Number) ?? [];
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month) ? text : null;
};

/**
 * Converts an ISO 8601 time with its zone (`Z` or `+hh:mm`) to ISO 8601 in UTC with milliseconds;
 * further digits are dropped. Null when the time does not exist or is outside the years 1 to 9999
 * in UTC.
 */
export const parseDateTime = (text: string): string | null => {
  const { date = '', time = '', second = '00', fraction = '', zone = '' } = DATE_TIME.exec(text)?.groups ?? {};
  if (parseDate(date) === null) return null;
  const millis = fraction.padEnd(3, '0');
  const utc = new Date(Date.parse(`${date}T${time}:${second}.${millis}Z`) - offsetOf(zone));
  const year = utc.getUTCFullYear();
  return year >= 1 && year <= 9999 ? utc.toISOString() : null;
};
