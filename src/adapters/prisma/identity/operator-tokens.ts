import { ROLES } from '../../../domain/identity/operator.ts';
import type { OperatorTokens } from '../../../domain/ports/identity/operator-tokens.ts';
import { bytesOfHex } from '../connection/hex.ts';
import { oneOf } from '../connection/sql-types.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';

const COLUMNS = `id, name, iso(created_at) AS "createdAt", iso(expires_at) AS "expiresAt", iso(last_used_at) AS "lastUsedAt"`;
const ROW = { id: 'uuid', name: 'text', createdAt: 'text', expiresAt: 'text?', lastUsedAt: 'text?' } as const;

/** The lock makes the end of the operator come wholly before or wholly after. */
const ISSUE = statement({
  text: `
    WITH present AS (SELECT id FROM operators WHERE id = $operatorId AND ended_at IS NULL FOR SHARE)
    INSERT INTO operator_tokens (id, operator_id, name, hash, expires_at)
    SELECT $id, p.id, $name, $hash, $expiresAt FROM present p
    RETURNING ${COLUMNS}`,
  parameters: { id: 'uuid', operatorId: 'uuid', name: 'text', hash: 'bytea', expiresAt: 'timestamptz?' },
  row: ROW,
});

const LIST = statement({
  text: `SELECT ${COLUMNS} FROM operator_tokens WHERE operator_id = $operatorId ORDER BY created_at, id`,
  parameters: { operatorId: 'uuid' },
  row: ROW,
});

const REVOKE = statement({
  text: 'DELETE FROM operator_tokens WHERE id = $id AND operator_id = $operatorId',
  parameters: { id: 'uuid', operatorId: 'uuid' },
});

const AUTHENTICATE = statement({
  text: `
    WITH found AS (
      SELECT t.id, t.last_used_at, o.id AS operator_id, o.name, o.role, o.store_ids
      FROM operator_tokens t JOIN operators o ON o.id = t.operator_id
      WHERE t.hash = $hash AND o.ended_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > clock_timestamp())),
    noted AS (
      UPDATE operator_tokens t SET last_used_at = clock_timestamp() FROM found f
      WHERE t.id = f.id AND (f.last_used_at IS NULL OR f.last_used_at <= clock_timestamp() - interval '1 minute'))
    SELECT id, operator_id AS "operatorId", name, role, store_ids AS "storeIds" FROM found`,
  parameters: { hash: 'bytea' },
  row: { id: 'uuid', operatorId: 'uuid', name: 'text', role: oneOf('text', ROLES), storeIds: 'uuid[]?' },
});

export const operatorTokens = (sql: Sql): OperatorTokens => ({
  issue: async ({ hash, ...token }) => (await sql.rows(ISSUE, { ...token, hash: bytesOfHex(hash) }))[0] ?? null,
  list: (operatorId) => sql.rows(LIST, { operatorId }),
  revoke: async (operatorId, id) => (await sql.execute(REVOKE, { operatorId, id })) > 0,
  authenticate: async (hash) => {
    const [row] = await sql.rows(AUTHENTICATE, { hash: bytesOfHex(hash) });
    if (!row) return null;
    const { id, ...actor } = row;
    return { id, actor };
  },
});
