import {
  CODE_SECONDS,
  SESSION_IDLE_SECONDS,
  SESSION_SECONDS,
  SESSION_TOUCH_SECONDS,
} from '../../../domain/identity/console-session.ts';
import { OPENED_BY } from '../../../domain/identity/platform-app.ts';
import type { DeveloperSessions } from '../../../domain/ports/identity/developer-sessions.ts';
import { bytesOfHex } from '../connection/hex.ts';
import type { Sql } from '../connection/sql.ts';
import { oneOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import { isUnexpired } from '../connection/unexpired.ts';
import { touching } from './touch-session.ts';

/** Client secret `c` counts, and so does what hangs on it: every use looks again. */
const IS_VALID = '(c.expires_at IS NULL OR c.expires_at > clock_timestamp())';

/** `at` is SQL for when they hang on the secret. */
const mayOpen = (at: string): string => `${IS_VALID} AND platform_app_refusal(c.app_id, ${at}) IS NULL`;

const LIFE = `clock_timestamp() + make_interval(secs => $sessionSeconds), clock_timestamp() + make_interval(secs => $idleSeconds)`;
const LIFE_PARAMETERS = { sessionSeconds: 'float8', idleSeconds: 'float8' } as const;

const START = statement({
  text: `
    INSERT INTO developer_sessions (hash, kind, opened_by, secret_id, ends_at, expires_at)
    SELECT $hash, 'Session', 'Secret', c.id, ${LIFE} FROM platform_client_secrets c
    WHERE c.app_id = $appId AND c.hash = $secret AND ${mayOpen("'infinity'")} LIMIT 1`,
  parameters: { appId: 'uuid', secret: 'bytea', hash: 'bytea', ...LIFE_PARAMETERS },
});

const CREATE_CODE = statement({
  text: `
    WITH ends AS (SELECT clock_timestamp() + make_interval(secs => $codeSeconds) AS at)
    INSERT INTO developer_sessions (hash, kind, opened_by, secret_id, ends_at, expires_at)
    SELECT $hash, 'Code', 'Link', c.id, at, at FROM platform_client_secrets c, ends
    WHERE c.app_id = $appId AND c.expires_at IS NULL AND ${mayOpen("'infinity'")}
    RETURNING iso(expires_at) AS "expiresAt"`,
  parameters: { appId: 'uuid', hash: 'bytea', codeSeconds: 'float8' },
  row: { expiresAt: 'text' },
});

const LOOK_AT_CODE = statement({
  text: `
    SELECT c.app_id AS "appId" FROM developer_sessions d JOIN platform_client_secrets c ON c.id = d.secret_id
    WHERE d.hash = $code AND d.kind = 'Code' AND ${isUnexpired('d.expires_at')} AND ${mayOpen('d.created_at')}`,
  parameters: { code: 'bytea' },
  row: { appId: 'uuid' },
});

/** The code becomes the session. Of two requests with one code, the second waits for the first, and then finds no code. */
const EXCHANGE = statement({
  text: `
    WITH codes AS (
      SELECT d.hash FROM developer_sessions d JOIN platform_client_secrets c ON c.id = d.secret_id
      WHERE d.hash = $code AND ${mayOpen('d.created_at')})
    UPDATE developer_sessions d SET hash = $hash, kind = 'Session', created_at = now(),
      ends_at = statement_timestamp() + make_interval(secs => $sessionSeconds),
      expires_at = statement_timestamp() + make_interval(secs => $idleSeconds)
    FROM codes WHERE d.hash = codes.hash AND d.kind = 'Code' AND ${isUnexpired('d.expires_at')}`,
  parameters: { code: 'bytea', hash: 'bytea', ...LIFE_PARAMETERS },
});

const USE = statement({
  text: `
    WITH touched AS (${touching('developer_sessions', 'clock_timestamp()')})
    SELECT c.app_id AS "appId", d.opened_by AS "openedBy"
    FROM developer_sessions d JOIN platform_client_secrets c ON c.id = d.secret_id
    WHERE d.hash = $hash AND d.kind = 'Session' AND d.expires_at > clock_timestamp() AND ${mayOpen('d.created_at')}`,
  parameters: { hash: 'bytea', idleSeconds: 'float8', touchSeconds: 'float8' },
  row: { appId: 'uuid', openedBy: oneOf('text', OPENED_BY) },
});

const END = statement({ text: 'DELETE FROM developer_sessions WHERE hash = $hash', parameters: { hash: 'bytea' } });

const PURGE = statement({
  text: `
    DELETE FROM developer_sessions WHERE hash = ANY (ARRAY(
      SELECT hash FROM developer_sessions WHERE expires_at <= clock_timestamp()
      ORDER BY expires_at LIMIT $limit FOR UPDATE SKIP LOCKED))`,
  parameters: { limit: 'int8' },
});

const OF_A_SESSION = { sessionSeconds: SESSION_SECONDS, idleSeconds: SESSION_IDLE_SECONDS };

export const developerSessions = (sql: Sql): DeveloperSessions => ({
  start: async (appId, secret, hash) =>
    (await sql.execute(START, { appId, secret: bytesOfHex(secret), hash: bytesOfHex(hash), ...OF_A_SESSION })) > 0,
  createCode: async (appId, hash) => {
    const [row] = await sql.rows(CREATE_CODE, { appId, hash: bytesOfHex(hash), codeSeconds: CODE_SECONDS });
    return row?.expiresAt ?? null;
  },
  lookAtCode: async (code) => (await sql.rows(LOOK_AT_CODE, { code: bytesOfHex(code) }))[0]?.appId ?? null,
  exchange: async (code, hash) =>
    (await sql.execute(EXCHANGE, { code: bytesOfHex(code), hash: bytesOfHex(hash), ...OF_A_SESSION })) > 0,
  use: async (hash) => {
    const given = { hash: bytesOfHex(hash), idleSeconds: SESSION_IDLE_SECONDS, touchSeconds: SESSION_TOUCH_SECONDS };
    return (await sql.rows(USE, given))[0] ?? null;
  },
  end: async (hash) => {
    await sql.execute(END, { hash: bytesOfHex(hash) });
  },
  purge: (limit) => sql.execute(PURGE, { limit }),
});
