import { withShortConnection } from './short-connection.ts';

/** Each promotion of a standby begins a timeline, whose number is higher. The name of a log file begins with it. */
export const PRESENT_TIMELINE = 'left(pg_walfile_name(pg_current_wal_lsn()), 8)';

/** The timeline as a number. Null on a server that takes no writes. */
export const TIMELINE = `CASE WHEN NOT pg_is_in_recovery() AND NOT current_setting('default_transaction_read_only')::bool
  THEN ('x' || ${PRESENT_TIMELINE})::bit(32)::int END`;

const LIMIT_MS = 1_000;

/** The timeline of a server that takes writes; null of another. Rejects when it cannot be asked. */
export const timelineOf = (url: string): Promise<number | null> =>
  withShortConnection(url, 'tenon primary', LIMIT_MS, async (client) => {
    const { rows } = await client.query<{ timeline: number | null }>(`SELECT ${TIMELINE} AS timeline`);
    return rows[0]?.timeline ?? null;
  });
