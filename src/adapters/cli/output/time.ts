/** A time for a table, in UTC as the server has it: `2026-11-23 09:30:00`. */
export const shortTime = (iso: string | null): string => iso?.slice(0, 19).replace('T', ' ') ?? '';

/** The time of day for a line of what happens now: `09:30:00`. */
export const timeOfDay = (iso: string): string => iso.slice(11, 19);
