import { SESSION_IDLE_SECONDS, SESSION_TOUCH_SECONDS } from '../../../domain/identity/console-session.ts';
import { OPENED_BY } from '../../../domain/identity/platform-app.ts';
import type { DeveloperSessions } from '../../../domain/ports/identity/developer-sessions.ts';
import { bytesOfHex } from '../connection/hex.ts';
import type { Sql } from '../connection/sql.ts';
import { oneOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import { isUnexpired } from '../connection/unexpired.ts';
import { exchanging, OPENED, openedAs, opening, purging, touching } from './session-rows.ts';

/** Client secret `c` counts, and so does what hangs on it: every use looks again. */
const IS_VALID = '(c.expires_at IS NULL OR c.expires_at > clock_timestamp())';

/** `at` is SQL for when they hang on the secret. */
const mayOpen = (at: string): string => `${IS_VALID} AND platform_app_refusal(c.app_id, ${at}) IS NULL`;

const START = statement({
  text: opening(
    'developer_sessions',
    { opened_by: "'Secret'", secret_id: 'c.id' },
    `platform_client_secrets c WHERE c.app_id = $appId AND c.hash = $secret AND ${mayOpen("'infinity'")} LIMIT 1`,
  ),
  parameters: { appId: 'uuid', secret: 'bytea', ...OPENED },
  row: { expiresAt: 'timestamptz' },
});

const CREATE_CODE = statement({
  text: opening(
    'developer_sessions',
    { opened_by: "'Link'", secret_id: 'c.id' },
    `platform_client_secrets c WHERE c.app_id = $appId AND c.expires_at IS NULL AND ${mayOpen("'infinity'")}`,
  ),
  parameters: { appId: 'uuid', ...OPENED },
  row: { expiresAt: 'timestamptz' },
});

const OF_CODE = 'FROM developer_sessions d JOIN platform_client_secrets c ON c.id = d.secret_id WHERE d.hash = $code';

const LOOK_AT_CODE = statement({
  text: `SELECT c.app_id AS "appId" ${OF_CODE} AND d.kind = 'Code' AND ${isUnexpired('d.expires_at')} AND ${mayOpen('d.created_at')}`,
  parameters: { code: 'bytea' },
  row: { appId: 'uuid' },
});

const EXCHANGE = statement({
  text: exchanging('developer_sessions', `SELECT d.hash ${OF_CODE} AND ${mayOpen('d.created_at')}`, 'c.hash = owners.hash'),
  parameters: { code: 'bytea', ...OPENED },
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
const PURGE = statement(purging('developer_sessions'));

export const developerSessions = (sql: Sql): DeveloperSessions => ({
  start: async (appId, secret, hash) =>
    (await sql.rows(START, { appId, secret: bytesOfHex(secret), ...openedAs('Session', hash) })).length > 0,
  createCode: async (appId, hash) => {
    const [code] = await sql.rows(CREATE_CODE, { appId, ...openedAs('Code', hash) });
    return code?.expiresAt.toISOString() ?? null;
  },
  lookAtCode: async (code) => (await sql.rows(LOOK_AT_CODE, { code: bytesOfHex(code) }))[0]?.appId ?? null,
  exchange: async (code, hash) => (await sql.execute(EXCHANGE, { code: bytesOfHex(code), ...openedAs('Session', hash) })) > 0,
  use: async (hash) => {
    const given = { hash: bytesOfHex(hash), idleSeconds: SESSION_IDLE_SECONDS, touchSeconds: SESSION_TOUCH_SECONDS };
    return (await sql.rows(USE, given))[0] ?? null;
  },
  end: async (hash) => {
    await sql.execute(END, { hash: bytesOfHex(hash) });
  },
  purge: (limit) => sql.execute(PURGE, { limit }),
});
