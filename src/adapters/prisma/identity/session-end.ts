import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import { wakeFeed } from '../work/feed-wake.ts';

const REVOKE = statement({
  text: `
    UPDATE app_console_sessions SET ends_at = '-infinity', expires_at = '-infinity'
    WHERE (store_id, installation_id) = ($storeId, $installationId)`,
  parameters: { storeId: 'uuid', installationId: 'uuid' },
});

const REVOKE_OF_STORE = statement({
  text: "UPDATE app_console_sessions SET ends_at = '-infinity', expires_at = '-infinity' WHERE store_id = $storeId",
  parameters: { storeId: 'uuid' },
});

const REVOKE_TOKENS_OF_STORE = statement({
  text: "UPDATE access_tokens SET expires_at = '-infinity' WHERE store_id = $storeId",
  parameters: { storeId: 'uuid' },
});

/** Rounded down, like the end of a secret. `from` and `condition` are SQL for whose sessions `c` they are. */
const endingAfter = (from: string, condition: string): string => `
    WITH ends AS (SELECT date_trunc('milliseconds', now()) + make_interval(secs => $seconds) AS at)
    UPDATE app_console_sessions c SET ends_at = LEAST(ends_at, at), expires_at = LEAST(expires_at, at) FROM ends${from}
    WHERE ${condition}`;

const END_AFTER = statement({
  text: endingAfter('', '(c.store_id, c.installation_id) = ($storeId, $installationId)'),
  parameters: { storeId: 'uuid', installationId: 'uuid', seconds: 'float8' },
});

const END_OF_APP_AFTER = statement({
  text: endingAfter(', installations i', 'i.app_id = $appId AND c.store_id = i.store_id AND c.installation_id = i.id'),
  parameters: { appId: 'uuid', seconds: 'float8' },
});

export const revokeSessions = (sql: Sql, storeId: string, installationId: string): Promise<number> =>
  sql.execute(REVOKE, { storeId, installationId });

/**
 * Ends the tokens, console sessions and login codes of all apps of a store for good, and has the
 * requests that wait for its feed find it out.
 */
export const endAccessOfStore = async (sql: Sql, storeId: string): Promise<void> => {
  await sql.execute(REVOKE_TOKENS_OF_STORE, { storeId });
  await sql.execute(REVOKE_OF_STORE, { storeId });
  await wakeFeed(sql, 'store', storeId);
};

/** Ends the sessions after this many seconds at the latest. */
export const endSessionsAfter = (sql: Sql, storeId: string, installationId: string, seconds: number): Promise<number> =>
  sql.execute(END_AFTER, { storeId, installationId, seconds });

/** Ends the sessions of all installations of a platform app. */
export const endSessionsOfAppAfter = (sql: Sql, appId: string, seconds: number): Promise<number> =>
  sql.execute(END_OF_APP_AFTER, { appId, seconds });
