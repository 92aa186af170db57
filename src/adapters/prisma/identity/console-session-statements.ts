import { ROLES } from '../../../domain/identity/operator.ts';
import { oneOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';

/** Of the holder of the admin token, and of an operator: processes that know no operators refuse the latter. */
const kindOf = (kind: 'Session' | 'Code', operator = '$operatorId::uuid'): string =>
  `CASE WHEN ${operator} IS NULL THEN '${kind}' ELSE 'Operator${kind}' END`;

const ORIGIN = { address: 'text?', agent: 'text?' } as const;

export const START = statement({
  text: `
    INSERT INTO console_sessions (hash, kind, token_hash, expires_at, operator_id, address, agent)
    VALUES ($hash, ${kindOf('Session')}, $tokenHash, clock_timestamp() + make_interval(secs => $idleSeconds), $operatorId, $address, $agent)`,
  parameters: { hash: 'bytea', tokenHash: 'bytea', idleSeconds: 'float8', operatorId: 'uuid?', ...ORIGIN },
});

export const START_ONCE = statement({
  text: `
    WITH used AS (
      INSERT INTO console_sessions (hash, kind, token_hash, expires_at) VALUES ($attempt, 'Used', $tokenHash, $attemptExpiresAt)
      ON CONFLICT (hash) DO NOTHING RETURNING hash)
    INSERT INTO console_sessions (hash, kind, token_hash, expires_at, operator_id, address, agent)
    SELECT $hash, 'OperatorSession', $tokenHash, clock_timestamp() + make_interval(secs => $idleSeconds), $operatorId, $address, $agent
    FROM used`,
  parameters: {
    attempt: 'bytea',
    attemptExpiresAt: 'timestamptz',
    hash: 'bytea',
    tokenHash: 'bytea',
    idleSeconds: 'float8',
    operatorId: 'uuid',
    ...ORIGIN,
  },
});

export const CREATE_CODE = statement({
  text: `
    INSERT INTO console_sessions (hash, kind, token_hash, expires_at, operator_id)
    VALUES ($hash, ${kindOf('Code')}, $tokenHash, clock_timestamp() + make_interval(secs => $codeSeconds), $operatorId)
    RETURNING iso(expires_at) AS "expiresAt"`,
  parameters: { hash: 'bytea', tokenHash: 'bytea', codeSeconds: 'float8', operatorId: 'uuid?' },
  row: { expiresAt: 'text' },
});

/** Of two requests with one code, the second waits for the first, and then finds no code. */
export const EXCHANGE = statement({
  text: `
    WITH used AS (
      DELETE FROM console_sessions
      WHERE hash = $code AND kind IN ('Code', 'OperatorCode') AND token_hash = $tokenHash AND expires_at > clock_timestamp()
      RETURNING token_hash, operator_id)
    INSERT INTO console_sessions (hash, kind, token_hash, expires_at, operator_id, address, agent)
    SELECT $hash, ${kindOf('Session', 'operator_id')}, token_hash, clock_timestamp() + make_interval(secs => $idleSeconds),
      operator_id, $address, $agent
    FROM used`,
  parameters: { code: 'bytea', hash: 'bytea', tokenHash: 'bytea', idleSeconds: 'float8', ...ORIGIN },
});

/** Sessions `s` that have not ended, under this admin token, with their operators `o`. */
const VALID = `
      FROM console_sessions s LEFT JOIN operators o ON o.id = s.operator_id
      WHERE s.kind IN ('Session', 'OperatorSession') AND s.token_hash = $tokenHash AND s.expires_at > clock_timestamp() AND o.ended_at IS NULL`;

const USER = `s.id, s.operator_id AS "operatorId", o.name, o.role, o.store_ids AS "storeIds"`;
const USER_ROW = { id: 'uuid', operatorId: 'uuid?', name: 'text?', role: oneOf('text?', ROLES), storeIds: 'uuid[]?' } as const;

/** The select sees the row as it was before it was touched. */
export const USE = statement({
  text: `
    WITH found AS (
      SELECT ${USER}, s.hash, s.expires_at, LEAST(
        s.created_at + make_interval(secs => $sessionSeconds), clock_timestamp() + make_interval(secs => $idleSeconds)) AS renewed
      ${VALID} AND s.hash = $hash),
    touched AS (
      UPDATE console_sessions s SET expires_at = f.renewed FROM found f
      WHERE s.hash = f.hash AND f.renewed > f.expires_at + make_interval(secs => $touchSeconds))
    SELECT id, "operatorId", name, role, "storeIds" FROM found`,
  parameters: { hash: 'bytea', tokenHash: 'bytea', sessionSeconds: 'float8', idleSeconds: 'float8', touchSeconds: 'float8' },
  row: USER_ROW,
});

export const LOOK = statement({
  text: `SELECT ${USER} ${VALID} AND s.hash = $hash`,
  parameters: { hash: 'bytea', tokenHash: 'bytea' },
  row: USER_ROW,
});

export const LIST = statement({
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

export const END = statement({
  text: `DELETE FROM console_sessions WHERE hash = $hash AND ${IS_SESSION}`,
  parameters: { hash: 'bytea' },
});

export const END_BY_ID = statement({
  text: `DELETE FROM console_sessions WHERE id = $id AND ${IS_SESSION}`,
  parameters: { id: 'uuid' },
});

export const PURGE = statement({
  text: `
    DELETE FROM console_sessions WHERE hash = ANY (ARRAY(
      SELECT hash FROM console_sessions WHERE expires_at <= clock_timestamp()
      ORDER BY expires_at LIMIT $limit FOR UPDATE SKIP LOCKED))`,
  parameters: { limit: 'int8' },
});
