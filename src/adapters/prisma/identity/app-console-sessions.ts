import { CODE_SECONDS, SESSION_IDLE_SECONDS, SESSION_SECONDS } from '../../../domain/identity/console-session.ts';
import type { AppConsoleSessions } from '../../../domain/ports/identity/app-console-sessions.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import { bytesOfHex } from '../connection/hex.ts';

/**
 * The installation, if it may call. The lock makes a revocation or an uninstallation come wholly
 * before or wholly after.
 */
const CALLER = `
  SELECT i.id FROM installations i JOIN stores s ON s.id = i.store_id
  WHERE i.id = $installationId AND i.status = 'Installed' AND s.status = 'Active' FOR SHARE OF i`;

const START = statement({
  text: `
    WITH callers AS (${CALLER})
    INSERT INTO app_console_sessions (hash, kind, installation_id, ends_at, expires_at)
    SELECT $hash, 'Session', id, clock_timestamp() + make_interval(secs => $sessionSeconds),
      clock_timestamp() + make_interval(secs => $idleSeconds) FROM callers`,
  parameters: { hash: 'bytea', installationId: 'uuid', sessionSeconds: 'float8', idleSeconds: 'float8' },
});

const CREATE_CODE = statement({
  text: `
    WITH callers AS (${CALLER}), ends AS (SELECT clock_timestamp() + make_interval(secs => $codeSeconds) AS at)
    INSERT INTO app_console_sessions (hash, kind, installation_id, ends_at, expires_at)
    SELECT $hash, 'Code', id, at, at FROM callers, ends
    RETURNING iso(expires_at) AS "expiresAt"`,
  parameters: { hash: 'bytea', installationId: 'uuid', codeSeconds: 'float8' },
  row: { expiresAt: 'text' },
});

/**
 * Of two requests with one code, the second waits for the first, and then finds no code. The lock on
 * the installation is that of CALLER.
 */
const EXCHANGE = statement({
  text: `
    WITH callers AS (
      SELECT i.id FROM app_console_sessions c
      JOIN installations i ON i.id = c.installation_id JOIN stores s ON s.id = i.store_id
      WHERE c.hash = $code AND i.status = 'Installed' AND s.status = 'Active' AND s.domain = $domain FOR SHARE OF i),
    used AS (
      DELETE FROM app_console_sessions c USING callers
      WHERE c.hash = $code AND c.kind = 'Code' AND c.expires_at > clock_timestamp() AND c.installation_id = callers.id
      RETURNING c.installation_id)
    INSERT INTO app_console_sessions (hash, kind, installation_id, ends_at, expires_at)
    SELECT $hash, 'Session', installation_id, clock_timestamp() + make_interval(secs => $sessionSeconds),
      clock_timestamp() + make_interval(secs => $idleSeconds) FROM used`,
  parameters: { code: 'bytea', hash: 'bytea', domain: 'text', sessionSeconds: 'float8', idleSeconds: 'float8' },
});

const END = statement({ text: 'DELETE FROM app_console_sessions WHERE hash = $hash', parameters: { hash: 'bytea' } });

const PURGE = statement({
  text: `
    DELETE FROM app_console_sessions WHERE hash = ANY (ARRAY(
      SELECT hash FROM app_console_sessions WHERE expires_at <= clock_timestamp()
      ORDER BY expires_at LIMIT $limit FOR UPDATE SKIP LOCKED))`,
  parameters: { limit: 'int8' },
});

const LIFE = { sessionSeconds: SESSION_SECONDS, idleSeconds: SESSION_IDLE_SECONDS };

export const appConsoleSessions = (sql: Sql): AppConsoleSessions => ({
  start: async (hash, installationId) => (await sql.execute(START, { hash: bytesOfHex(hash), installationId, ...LIFE })) > 0,
  createCode: async (hash, installationId) => {
    const [row] = await sql.rows(CREATE_CODE, { hash: bytesOfHex(hash), installationId, codeSeconds: CODE_SECONDS });
    return row?.expiresAt ?? null;
  },
  exchange: async (code, hash, domain) =>
    (await sql.execute(EXCHANGE, { code: bytesOfHex(code), hash: bytesOfHex(hash), domain, ...LIFE })) > 0,
  end: async (hash) => {
    await sql.execute(END, { hash: bytesOfHex(hash) });
  },
  purge: (limit) => sql.execute(PURGE, { limit }),
});
