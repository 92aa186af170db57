import {
  CODE_SECONDS,
  SESSION_IDLE_SECONDS,
  SESSION_SECONDS,
  SESSION_TOUCH_SECONDS,
} from '../../../domain/identity/console-session.ts';
import type { ConsoleSessions } from '../../../domain/ports/identity/console-sessions.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import { bytesOfHex } from '../connection/hex.ts';

const START = statement({
  text: `
    INSERT INTO console_sessions (hash, kind, token_hash, expires_at)
    VALUES ($hash, 'Session', $tokenHash, clock_timestamp() + make_interval(secs => $idleSeconds))`,
  parameters: { hash: 'bytea', tokenHash: 'bytea', idleSeconds: 'float8' },
});

const CREATE_CODE = statement({
  text: `
    INSERT INTO console_sessions (hash, kind, token_hash, expires_at)
    VALUES ($hash, 'Code', $tokenHash, clock_timestamp() + make_interval(secs => $codeSeconds))
    RETURNING iso(expires_at) AS "expiresAt"`,
  parameters: { hash: 'bytea', tokenHash: 'bytea', codeSeconds: 'float8' },
  row: { expiresAt: 'text' },
});

/** Of two requests with one code, the second waits for the first, and then finds no code. */
const EXCHANGE = statement({
  text: `
    WITH used AS (
      DELETE FROM console_sessions
      WHERE hash = $code AND kind = 'Code' AND token_hash = $tokenHash AND expires_at > clock_timestamp() RETURNING token_hash)
    INSERT INTO console_sessions (hash, kind, token_hash, expires_at)
    SELECT $hash, 'Session', token_hash, clock_timestamp() + make_interval(secs => $idleSeconds) FROM used`,
  parameters: { code: 'bytea', hash: 'bytea', tokenHash: 'bytea', idleSeconds: 'float8' },
});

/** The select sees the row as it was before it was touched. */
const USE = statement({
  text: `
    WITH found AS (
      SELECT hash, expires_at, LEAST(
        created_at + make_interval(secs => $sessionSeconds), clock_timestamp() + make_interval(secs => $idleSeconds)) AS renewed
      FROM console_sessions
      WHERE hash = $hash AND kind = 'Session' AND token_hash = $tokenHash AND expires_at > clock_timestamp()),
    touched AS (
      UPDATE console_sessions s SET expires_at = f.renewed FROM found f
      WHERE s.hash = f.hash AND f.renewed > f.expires_at + make_interval(secs => $touchSeconds))
    SELECT FROM found`,
  parameters: { hash: 'bytea', tokenHash: 'bytea', sessionSeconds: 'float8', idleSeconds: 'float8', touchSeconds: 'float8' },
});

const IS_VALID = statement({
  text: `
    SELECT FROM console_sessions
    WHERE hash = $hash AND kind = 'Session' AND token_hash = $tokenHash AND expires_at > clock_timestamp()`,
  parameters: { hash: 'bytea', tokenHash: 'bytea' },
});

const END = statement({ text: 'DELETE FROM console_sessions WHERE hash = $hash', parameters: { hash: 'bytea' } });

const PURGE = statement({
  text: `
    DELETE FROM console_sessions WHERE hash = ANY (ARRAY(
      SELECT hash FROM console_sessions WHERE expires_at <= clock_timestamp()
      ORDER BY expires_at LIMIT $limit FOR UPDATE SKIP LOCKED))`,
  parameters: { limit: 'int8' },
});

export const consoleSessions = (sql: Sql): ConsoleSessions => ({
  start: async (hash, tokenHash) => {
    await sql.execute(START, { hash: bytesOfHex(hash), tokenHash: bytesOfHex(tokenHash), idleSeconds: SESSION_IDLE_SECONDS });
  },
  createCode: async (hash, tokenHash) => {
    const given = { hash: bytesOfHex(hash), tokenHash: bytesOfHex(tokenHash), codeSeconds: CODE_SECONDS };
    const [row] = await sql.rows(CREATE_CODE, given);
    if (!row) throw new Error('An INSERT returned no row.');
    return row.expiresAt;
  },
  exchange: async (code, hash, tokenHash) => {
    const given = {
      code: bytesOfHex(code),
      hash: bytesOfHex(hash),
      tokenHash: bytesOfHex(tokenHash),
      idleSeconds: SESSION_IDLE_SECONDS,
    };
    return (await sql.execute(EXCHANGE, given)) > 0;
  },
  use: async (hash, tokenHash) => {
    const found = await sql.execute(USE, {
      hash: bytesOfHex(hash),
      tokenHash: bytesOfHex(tokenHash),
      sessionSeconds: SESSION_SECONDS,
      idleSeconds: SESSION_IDLE_SECONDS,
      touchSeconds: SESSION_TOUCH_SECONDS,
    });
    return found > 0;
  },
  isValid: async (hash, tokenHash) =>
    (await sql.execute(IS_VALID, { hash: bytesOfHex(hash), tokenHash: bytesOfHex(tokenHash) })) > 0,
  end: async (hash) => {
    await sql.execute(END, { hash: bytesOfHex(hash) });
  },
  purge: (limit) => sql.execute(PURGE, { limit }),
});
