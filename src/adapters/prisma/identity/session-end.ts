import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';

const REVOKE = statement({
  text: `UPDATE app_console_sessions SET ends_at = '-infinity', expires_at = '-infinity' WHERE installation_id = $installationId`,
  parameters: { installationId: 'uuid' },
});

const REVOKE_OF_STORE = statement({
  text: `
    UPDATE app_console_sessions SET ends_at = '-infinity', expires_at = '-infinity'
    WHERE installation_id IN (SELECT id FROM installations WHERE store_id = $storeId)`,
  parameters: { storeId: 'uuid' },
});

/** Rounded down, like the end of a secret. */
const END_AFTER = statement({
  text: `
    WITH ends AS (SELECT date_trunc('milliseconds', now()) + make_interval(secs => $seconds) AS at)
    UPDATE app_console_sessions SET ends_at = LEAST(ends_at, at), expires_at = LEAST(expires_at, at) FROM ends
    WHERE installation_id = $installationId`,
  parameters: { installationId: 'uuid', seconds: 'float8' },
});

/** Ends the console sessions and login codes of an app for good. */
export const revokeSessions = (sql: Sql, installationId: string): Promise<number> => sql.execute(REVOKE, { installationId });

/** The same for all apps of a store. */
export const revokeSessionsOfStore = (sql: Sql, storeId: string): Promise<number> => sql.execute(REVOKE_OF_STORE, { storeId });

/** They end after this many seconds at the latest. */
export const endSessionsAfter = (sql: Sql, installationId: string, seconds: number): Promise<number> =>
  sql.execute(END_AFTER, { installationId, seconds });
