import { briefly } from './briefly.ts';

/** Each promotion of a standby begins a timeline, whose number is higher. The name of a log file begins with it. */
export const PRESENT_TIMELINE = 'left(pg_walfile_name(pg_current_wal_lsn()), 8)';

const TIMELINE = `
  SELECT CASE WHEN NOT pg_is_in_recovery() AND NOT current_setting('default_transaction_read_only')::bool
    THEN ${PRESENT_TIMELINE} END AS timeline`;

const LIMIT_MS = 3_000;

/** The timeline of a server that takes writes; null of another. Rejects when it cannot be asked. */
export const timelineOf = (url: string): Promise<number | null> =>
  briefly(url, 'tenon primary', LIMIT_MS, async (client) => {
    const { rows } = await client.query<{ timeline: string | null }>(TIMELINE);
    const [{ timeline } = { timeline: null }] = rows;
    return timeline === null ? null : Number.parseInt(timeline, 16);
  });
