/** Milliseconds since the epoch as ISO 8601 in UTC, as all of the interface writes times. */
export const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();
