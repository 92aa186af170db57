import {
  CODE_SECONDS,
  MAX_CODES,
  SESSION_IDLE_SECONDS,
  SESSION_SECONDS,
  SESSION_TOUCH_SECONDS,
} from '../../../domain/identity/console-session.ts';
import { ROLES, OWNER, type Role } from '../../../domain/identity/operator.ts';
import type { ConsoleSessions, SessionOpener, SessionUse } from '../../../domain/ports/identity/console-sessions.ts';
import { bytesOfHex } from '../connection/hex.ts';
import { oneOf } from '../connection/sql-types.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import { purging } from './session-rows.ts';

/**
 * Kind for the holder of the admin token, or for an operator: processes that know no operators
 * refuse the latter.
 */
const kindOf = (kind: 'Session' | 'Code', operator = '$operatorId::uuid'): string =>
  `CASE WHEN ${operator} IS NULL THEN '${kind}' ELSE 'Operator${kind}' END`;

const ORIGIN = { address: 'text?', agent: 'text?' } as const;

/** The token of the operator that opens it, unless that has ended. The lock makes its revocation come wholly before or after. */
const OPENER = `
    token AS (
      SELECT id, expires_at FROM operator_tokens
      WHERE id = $tokenId AND operator_id = $operatorId AND (expires_at IS NULL OR expires_at > clock_timestamp()) FOR KEY SHARE)`;
const MAY_OPEN = '$tokenId::uuid IS NULL OR EXISTS (SELECT FROM token)';
/** Without a token, or with one that does not expire, LEAST leaves it out. */
const endIn = (seconds: string): string =>
  `LEAST(clock_timestamp() + make_interval(secs => ${seconds}), (SELECT expires_at FROM token))`;

const START_CONSOLE_SESSION = statement({
  text: `
    WITH ${OPENER}
    INSERT INTO console_sessions (hash, kind, token_hash, expires_at, operator_id, address, agent, opened_by_token)
    SELECT $hash, ${kindOf('Session')}, $tokenHash, ${endIn('$idleSeconds')}, $operatorId, $address, $agent, $tokenId
    WHERE ${MAY_OPEN}`,
  parameters: { hash: 'bytea', tokenHash: 'bytea', idleSeconds: 'float8', operatorId: 'uuid?', tokenId: 'uuid?', ...ORIGIN },
});

/** An attempt leaves this row behind, so that it is used once. */
const USED = `INSERT INTO console_sessions (hash, kind, token_hash, expires_at) VALUES ($attempt, 'Used', $tokenHash, $attemptExpiresAt)
      ON CONFLICT (hash) DO NOTHING`;
const USED_PARAMETERS = { attempt: 'bytea', attemptExpiresAt: 'timestamptz', tokenHash: 'bytea' } as const;

const USE_ONCE = statement({ text: USED, parameters: USED_PARAMETERS });

const START_ONCE = statement({
  text: `
    WITH used AS (${USED} RETURNING hash)
    INSERT INTO console_sessions (hash, kind, token_hash, expires_at, operator_id, address, agent)
    SELECT $hash, 'OperatorSession', $tokenHash, clock_timestamp() + make_interval(secs => $idleSeconds), $operatorId, $address, $agent
    FROM used`,
  parameters: { ...USED_PARAMETERS, hash: 'bytea', idleSeconds: 'float8', operatorId: 'uuid', ...ORIGIN },
});

/** Ends the oldest codes, so that with the new one there are no more than the most. */
const CREATE_CODE = statement({
  text: `
    WITH ${OPENER},
    ended AS (
      DELETE FROM console_sessions WHERE hash = ANY (ARRAY(
        SELECT hash FROM console_sessions
        WHERE kind IN ('Code', 'OperatorCode') AND operator_id IS NOT DISTINCT FROM $operatorId::uuid
        ORDER BY created_at DESC, hash OFFSET $others)))
    INSERT INTO console_sessions (hash, kind, token_hash, expires_at, operator_id, opened_by_token)
    SELECT $hash, ${kindOf('Code')}, $tokenHash, ${endIn('$codeSeconds')}, $operatorId, $tokenId
    WHERE ${MAY_OPEN}
    RETURNING iso(expires_at) AS "expiresAt"`,
  parameters: {
    hash: 'bytea',
    tokenHash: 'bytea',
    codeSeconds: 'float8',
    operatorId: 'uuid?',
    tokenId: 'uuid?',
    others: 'int8',
  },
  row: { expiresAt: 'text' },
});

/**
 * If two requests have one code, the second waits for the first, and then finds no code. The token
 * that made the code is locked before it, as by a revocation.
 */
const EXCHANGE = statement({
  text: `
    WITH code AS (
      SELECT hash, opened_by_token FROM console_sessions
      WHERE hash = $code AND kind IN ('Code', 'OperatorCode') AND token_hash = $tokenHash AND expires_at > clock_timestamp()),
    token AS (
      SELECT t.id, t.expires_at FROM operator_tokens t JOIN code c ON c.opened_by_token = t.id FOR KEY SHARE OF t),
    used AS (
      DELETE FROM console_sessions s USING code c LEFT JOIN token t ON t.id = c.opened_by_token
      WHERE s.hash = c.hash AND (c.opened_by_token IS NULL OR t.id IS NOT NULL)
      RETURNING s.token_hash, s.operator_id, s.opened_by_token)
    INSERT INTO console_sessions (hash, kind, token_hash, expires_at, operator_id, address, agent, opened_by_token)
    SELECT $hash, ${kindOf('Session', 'operator_id')}, token_hash, ${endIn('$idleSeconds')}, operator_id, $address, $agent, opened_by_token
    FROM used`,
  parameters: { code: 'bytea', hash: 'bytea', tokenHash: 'bytea', idleSeconds: 'float8', ...ORIGIN },
});

/** Finds the operator that the code signs in. The code stays unused. */
const LOOK_AT_CODE = statement({
  text: `
    SELECT s.operator_id AS "operatorId", o.name FROM console_sessions s LEFT JOIN operators o ON o.id = s.operator_id
    WHERE s.hash = $code AND s.kind IN ('Code', 'OperatorCode') AND s.token_hash = $tokenHash AND s.expires_at > clock_timestamp()
      AND o.ended_at IS NULL`,
  parameters: { code: 'bytea', tokenHash: 'bytea' },
  row: { operatorId: 'uuid?', name: 'text?' },
});

/**
 * Sessions `s` that have not ended, under this admin token, with their operators `o` and the tokens `t` that opened them. Processes
 * that know no such tokens move the end of a session beyond that of its token.
 */
const VALID = `
      FROM console_sessions s LEFT JOIN operators o ON o.id = s.operator_id LEFT JOIN operator_tokens t ON t.id = s.opened_by_token
      WHERE s.kind IN ('Session', 'OperatorSession') AND s.token_hash = $tokenHash AND s.expires_at > clock_timestamp() AND o.ended_at IS NULL
        AND (t.expires_at IS NULL OR t.expires_at > clock_timestamp())`;

const USER = `s.id, s.operator_id AS "operatorId", o.name, o.role, o.store_ids AS "storeIds"`;
const USER_ROW = { id: 'uuid', operatorId: 'uuid?', name: 'text?', role: oneOf('text?', ROLES), storeIds: 'uuid[]?' } as const;

/** The select sees the row as it was before it was touched. */
const USE = statement({
  text: `
    WITH found AS (
      SELECT ${USER}, s.hash, s.expires_at, LEAST(
        s.created_at + make_interval(secs => $sessionSeconds), clock_timestamp() + make_interval(secs => $idleSeconds), t.expires_at) AS renewed
      ${VALID} AND s.hash = $hash),
    touched AS (
      UPDATE console_sessions s SET expires_at = f.renewed FROM found f
      WHERE s.hash = f.hash AND f.renewed > f.expires_at + make_interval(secs => $touchSeconds))
    SELECT id, "operatorId", name, role, "storeIds" FROM found`,
  parameters: { hash: 'bytea', tokenHash: 'bytea', sessionSeconds: 'float8', idleSeconds: 'float8', touchSeconds: 'float8' },
  row: USER_ROW,
});

const LOOK = statement({
  text: `SELECT ${USER} ${VALID} AND s.hash = $hash`,
  parameters: { hash: 'bytea', tokenHash: 'bytea' },
  row: USER_ROW,
});

const LIST_CONSOLE_SESSIONS = statement({
  text: `
    SELECT s.id, s.operator_id AS "operatorId", o.name, s.address, s.agent,
      iso(s.created_at) AS "startedAt", iso(s.expires_at) AS "expiresAt"
    ${VALID} ORDER BY s.created_at DESC, s.id`,
  parameters: { tokenHash: 'bytea' },
  row: {
    id: 'uuid',
    operatorId: 'uuid?',
    name: 'text?',
    address: 'text?',
    agent: 'text?',
    startedAt: 'text',
    expiresAt: 'text',
  },
});

/** Without a used attempt: what signs out may have its hash as well. */
const IS_SESSION = "kind IN ('Session', 'OperatorSession')";

const END_CONSOLE_SESSION = statement({
  text: `DELETE FROM console_sessions WHERE hash = $hash AND ${IS_SESSION}`,
  parameters: { hash: 'bytea' },
});

const END_BY_ID = statement({
  text: `DELETE FROM console_sessions WHERE id = $id AND ${IS_SESSION}`,
  parameters: { id: 'uuid' },
});

const PURGE_CONSOLE_SESSIONS = statement(purging('console_sessions'));

interface UserRow {
  readonly id: string;
  readonly operatorId: string | null;
  readonly name: string | null;
  readonly role: Role | null;
  readonly storeIds: readonly string[] | null;
}

const userOf = ([row]: readonly UserRow[]): SessionUse | null => {
  if (!row) return null;
  const { id, operatorId, name, role, storeIds } = row;
  // A session without an operator is one of the holder of the admin token.
  if (operatorId === null) return { id, actor: OWNER };
  return name === null || role === null ? null : { id, actor: { operatorId, name, role, storeIds } };
};

const idsOf = (opener: SessionOpener | null) => ({
  operatorId: opener?.operatorId ?? null,
  tokenId: opener?.tokenId ?? null,
});

export const consoleSessions = (sql: Sql): ConsoleSessions => ({
  start: async (hash, tokenHash, opener, { address, agent }) => {
    const hashes = { hash: bytesOfHex(hash), tokenHash: bytesOfHex(tokenHash) };
    const given = { ...hashes, ...idsOf(opener), address, agent, idleSeconds: SESSION_IDLE_SECONDS };
    return (await sql.execute(START_CONSOLE_SESSION, given)) > 0;
  },
  useOnce: async ({ hash, expiresAt }, tokenHash) => {
    const given = { attempt: bytesOfHex(hash), attemptExpiresAt: expiresAt, tokenHash: bytesOfHex(tokenHash) };
    return (await sql.execute(USE_ONCE, given)) > 0;
  },
  startOnce: async (attempt, hash, tokenHash, operatorId, { address, agent }) => {
    const hashes = { attempt: bytesOfHex(attempt.hash), hash: bytesOfHex(hash), tokenHash: bytesOfHex(tokenHash) };
    const attemptExpiresAt = attempt.expiresAt;
    const given = { ...hashes, attemptExpiresAt, operatorId, address, agent, idleSeconds: SESSION_IDLE_SECONDS };
    return (await sql.execute(START_ONCE, given)) > 0;
  },
  createCode: async (hash, tokenHash, opener) => {
    const hashes = { hash: bytesOfHex(hash), tokenHash: bytesOfHex(tokenHash) };
    const given = { ...hashes, ...idsOf(opener), codeSeconds: CODE_SECONDS, others: MAX_CODES - 1 };
    return (await sql.rows(CREATE_CODE, given))[0]?.expiresAt ?? null;
  },
  lookAtCode: async (code, tokenHash) => {
    const [row] = await sql.rows(LOOK_AT_CODE, { code: bytesOfHex(code), tokenHash: bytesOfHex(tokenHash) });
    return row ? { operatorId: row.operatorId, name: row.name ?? OWNER.name } : null;
  },
  exchange: async (code, hash, tokenHash, { address, agent }) => {
    const given = {
      code: bytesOfHex(code),
      hash: bytesOfHex(hash),
      tokenHash: bytesOfHex(tokenHash),
      idleSeconds: SESSION_IDLE_SECONDS,
      address,
      agent,
    };
    return (await sql.execute(EXCHANGE, given)) > 0;
  },
  use: async (hash, tokenHash) =>
    userOf(
      await sql.rows(USE, {
        hash: bytesOfHex(hash),
        tokenHash: bytesOfHex(tokenHash),
        sessionSeconds: SESSION_SECONDS,
        idleSeconds: SESSION_IDLE_SECONDS,
        touchSeconds: SESSION_TOUCH_SECONDS,
      }),
    ),
  look: async (hash, tokenHash) => userOf(await sql.rows(LOOK, { hash: bytesOfHex(hash), tokenHash: bytesOfHex(tokenHash) })),
  list: async (tokenHash) =>
    (await sql.rows(LIST_CONSOLE_SESSIONS, { tokenHash: bytesOfHex(tokenHash) })).map(({ operatorId, name, ...session }) => ({
      ...session,
      operator: operatorId === null ? null : { id: operatorId, name: name ?? '' },
    })),
  end: async (hash) => {
    await sql.execute(END_CONSOLE_SESSION, { hash: bytesOfHex(hash) });
  },
  endById: async (id) => (await sql.execute(END_BY_ID, { id })) > 0,
  purge: (limit) => sql.execute(PURGE_CONSOLE_SESSIONS, { limit }),
});
