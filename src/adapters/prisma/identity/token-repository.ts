import type { TokenRepository } from '../../../domain/ports/token-repository.ts';
import type { Database } from '../connection/database.ts';

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

/** The expires_at of a revoked token is -infinity. So the log can distinguish it from an expired one. */
export const tokenRepository = (database: Database, ttlSeconds: number): TokenRepository => ({
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
