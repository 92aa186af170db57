import { CODE_SECONDS, SESSION_IDLE_SECONDS, SESSION_SECONDS } from '../../../domain/identity/console-session.ts';
import type { AppConsoleSessions } from '../../../domain/ports/identity/app-console-sessions.ts';
import { endOldest, expired, findOldest, removal } from '../connection/purge.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import { isUnexpired } from '../connection/unexpired.ts';
import { bytesOfHex } from '../connection/hex.ts';
import { statusOf } from '../work/installation-status.ts';
import type { StoreDirectory } from './store-directory.ts';

/**
 * The installation, if it may call. The lock makes a revocation or an uninstallation come wholly
 * before or wholly after.
 */
export const CALLER = `
  SELECT i.store_id, i.id FROM installations i JOIN stores s ON s.id = i.store_id
  WHERE i.store_id = $storeId AND i.id = $installationId AND ${statusOf('i')} = 'Installed' AND s.status = 'Active' FOR SHARE OF i`;

const START = statement({
  text: `
    INSERT INTO app_console_sessions (store_id, hash, kind, installation_id, ends_at, expires_at)
    SELECT caller.store_id, $hash, 'Session', caller.id, statement_timestamp() + make_interval(secs => $sessionSeconds),
      statement_timestamp() + make_interval(secs => $idleSeconds) FROM (${CALLER}) caller`,
  parameters: { storeId: 'uuid', installationId: 'uuid', hash: 'bytea', sessionSeconds: 'float8', idleSeconds: 'float8' },
});

const CREATE_CODE = statement({
  text: `
    INSERT INTO app_console_sessions AS code (store_id, hash, kind, installation_id, ends_at, expires_at)
    SELECT caller.store_id, $hash, 'Code', caller.id, ends.at, ends.at
    FROM (${CALLER}) caller CROSS JOIN (SELECT statement_timestamp() + make_interval(secs => $codeSeconds) AS at) ends
    RETURNING code.expires_at AS "expiresAt"`,
  parameters: { storeId: 'uuid', installationId: 'uuid', hash: 'bytea', codeSeconds: 'float8' },
  row: { expiresAt: 'timestamptz' },
});

/** The installation of code `c`, if the code starts a session on this domain. */
const OF_CODE = `
  FROM app_console_sessions c
  JOIN installations i ON i.store_id = c.store_id AND i.id = c.installation_id JOIN stores s ON s.id = i.store_id
  WHERE c.store_id = $storeId AND c.hash = $code AND c.kind = 'Code' AND ${isUnexpired('c.expires_at')}
    AND ${statusOf('i')} = 'Installed' AND s.status = 'Active' AND s.domain = $domain
    AND platform_app_refusal(i.app_id, c.created_at) IS NULL`;

const LOOK_AT_CODE = statement({
  text: `SELECT i.name ${OF_CODE}`,
  parameters: { storeId: 'uuid', domain: 'text', code: 'bytea' },
  row: { name: 'text' },
});

/**
 * The code becomes the session. Of two requests with one code, the second waits for the first, and then
 * finds no code. The lock on the installation is that of CALLER.
 */
const EXCHANGE = statement({
  text: `
    WITH callers AS (
      SELECT i.store_id, i.id ${OF_CODE}
      FOR SHARE OF i)
    UPDATE app_console_sessions c SET hash = $hash, kind = 'Session', created_at = now(),
      ends_at = statement_timestamp() + make_interval(secs => $sessionSeconds),
      expires_at = statement_timestamp() + make_interval(secs => $idleSeconds)
    FROM callers WHERE c.store_id = $storeId AND c.hash = $code AND c.kind = 'Code' AND ${isUnexpired('c.expires_at')}
      AND c.installation_id = callers.id`,
  parameters: {
    storeId: 'uuid',
    domain: 'text',
    code: 'bytea',
    hash: 'bytea',
    sessionSeconds: 'float8',
    idleSeconds: 'float8',
  },
});

const END = statement({
  text: 'DELETE FROM app_console_sessions WHERE store_id = $storeId AND hash = $hash',
  parameters: { storeId: 'uuid', hash: 'bytea' },
});

const EXPIRED = expired('app_console_sessions');
const PURGE = { find: statement(findOldest(EXPIRED)), end: statement(removal(EXPIRED)) };

const LIFE = { sessionSeconds: SESSION_SECONDS, idleSeconds: SESSION_IDLE_SECONDS };

/** True when the statement changed a row; null otherwise, for the directory. */
const changes = async (changed: Promise<number>): Promise<true | null> => ((await changed) > 0 ? true : null);

export const appConsoleSessions = (sql: Sql, directory: StoreDirectory): AppConsoleSessions => ({
  start: async (storeId, installationId, hash) =>
    (await sql.execute(START, { storeId, installationId, hash: bytesOfHex(hash), ...LIFE })) > 0,
  createCode: async (storeId, installationId, hash) => {
    const given = { storeId, installationId, hash: bytesOfHex(hash), codeSeconds: CODE_SECONDS };
    const [row] = await sql.rows(CREATE_CODE, given);
    return row?.expiresAt.toISOString() ?? null;
  },
  lookAtCode: (code, domain) =>
    directory.find(domain, async (storeId) => {
      const [row] = await sql.rows(LOOK_AT_CODE, { storeId, domain, code: bytesOfHex(code) });
      return row?.name ?? null;
    }),
  exchange: async (code, hash, domain) => {
    const given = { domain, code: bytesOfHex(code), hash: bytesOfHex(hash), ...LIFE };
    const exchanged = await directory.find(domain, (storeId) => changes(sql.execute(EXCHANGE, { storeId, ...given })));
    return exchanged ?? false;
  },
  end: async (hash, domain) => {
    await directory.find(domain, (storeId) => changes(sql.execute(END, { storeId, hash: bytesOfHex(hash) })));
  },
  purge: (limit) => endOldest(sql, PURGE, 0, limit),
});
