import type { Authentication, TokenRepository } from '../../../domain/ports/token-repository.ts';
import type { Scope } from '../../../domain/identity/scope.ts';
import type { Database } from '../connection/database.ts';
import { keyColumns, known } from '../idempotency/idempotency-repository.ts';
import type { KeyRow } from '../idempotency/idempotency-repository.ts';

/** Without a key, or one that has finished, the columns of KeyRow are null. */
interface AuthenticationRow extends Partial<KeyRow> {
  installation_id: string;
  store_id: string;
  scopes: Scope[];
  reason: Extract<Authentication, { ok: false }>['reason'] | null;
}

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

const authenticating = (columns: string, join: string): string =>
  `SELECT i.id AS installation_id, i.store_id, i.scopes,
     CASE WHEN s.domain <> $2 THEN 'wrong_store'
          WHEN s.status <> 'Active' THEN 'store_inactive'
          WHEN i.status = 'Uninstalled' THEN 'uninstalled'
          WHEN i.status <> 'Installed' THEN 'suspended'
          WHEN t.expires_at = '-infinity' THEN 'revoked'
          WHEN t.expires_at <= clock_timestamp() THEN 'expired' END AS reason${columns}
   FROM access_tokens t
   JOIN installations i ON i.id = t.installation_id
   JOIN stores s ON s.id = i.store_id ${join}
   WHERE t.hash = $1`;

const hasFinished = (row: Partial<KeyRow>): row is KeyRow => row.fingerprint != null && row.expired === false;

const AUTHENTICATE = authenticating('', '');
const AUTHENTICATE_WITH_KEY = authenticating(
  `, ${keyColumns('$4')}`,
  'LEFT JOIN idempotency_records r ON r.installation_id = i.id AND r.key = $3 AND r.finished_at IS NOT NULL',
);

/** A revoked token is one whose expires_at is -infinity, so that the log can tell it from an expired one. */
export const tokenRepository = (database: Database, ttlSeconds: number, idempotencyTtlSeconds: number): TokenRepository => ({
  issue: async (installationId, hash) => {
    // The lock makes a revocation or an uninstall come wholly before or wholly after.
    const rows = await database.query(
      `WITH callers AS (
         SELECT i.id FROM installations i JOIN stores s ON s.id = i.store_id
         WHERE i.id = $1 AND i.status = 'Installed' AND s.status = 'Active' FOR SHARE OF i)
       INSERT INTO access_tokens (hash, installation_id, expires_at)
       SELECT $2, id, clock_timestamp() + make_interval(secs => $3) FROM callers RETURNING 1`,
      [installationId, bytes(hash), ttlSeconds],
    );
    return rows.length === 0 ? null : ttlSeconds;
  },
  authenticate: async (hash, domain, key = null) => {
    const [row] = await database.pipeline.query<AuthenticationRow>(
      key === null ? AUTHENTICATE : AUTHENTICATE_WITH_KEY,
      key === null ? [bytes(hash), domain] : [bytes(hash), domain, key, idempotencyTtlSeconds],
    );
    if (!row) return { ok: false, reason: 'unknown_token' };
    if (row.reason !== null) return { ok: false, reason: row.reason };
    return {
      ok: true,
      caller: { storeId: row.store_id, installationId: row.installation_id, scopes: row.scopes },
      known: hasFinished(row) ? known(row) : null,
    };
  },
  revokeAll: (installationId) =>
    database.transaction(async (sql) => {
      const found = await sql.query('SELECT 1 FROM installations WHERE id = $1 FOR NO KEY UPDATE', [installationId]);
      await sql.query(`UPDATE access_tokens SET expires_at = '-infinity' WHERE installation_id = $1`, [installationId]);
      return found.length > 0;
    }),
  purge: async (limit) => {
    const rows = await database.query(
      `DELETE FROM access_tokens WHERE hash = ANY (ARRAY(
         SELECT hash FROM access_tokens WHERE expires_at <= clock_timestamp()
         ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED))
       RETURNING 1`,
      [limit],
    );
    return rows.length;
  },
});
