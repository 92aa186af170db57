import type { InstallationStatus } from '../../../domain/identity/installation.ts';
import type { Rotated } from '../../../domain/ports/installation-repository.ts';
import type { Database } from '../connection/database.ts';
import type { Sql } from '../connection/sql.ts';

/** Locks the installation until the transaction ends; null when there is none. */
export const lockedStatus = async (sql: Sql, id: string): Promise<'live' | 'uninstalled' | null> => {
  const [row] = await sql.query<{ status: InstallationStatus }>(
    'SELECT status FROM installations WHERE id = $1 FOR NO KEY UPDATE',
    [id],
  );
  if (!row) return null;
  return row.status === 'Uninstalled' ? 'uninstalled' : 'live';
};

const SECRET_TABLES = {
  client_secrets: {
    // Rounded down: an overlap of 0 ends before the next statement. LEAST skips the null of the newest.
    end: `UPDATE client_secrets SET expires_at = LEAST(expires_at, date_trunc('milliseconds', now()) + make_interval(secs => $2))
          WHERE installation_id = $1`,
    forget: 'DELETE FROM client_secrets WHERE installation_id = $1 AND expires_at < now()',
    add: 'INSERT INTO client_secrets (installation_id, id, hash) VALUES ($1, $2, $3)',
  },
  signing_secrets: {
    end: `UPDATE signing_secrets SET expires_at = LEAST(expires_at, date_trunc('milliseconds', now()) + make_interval(secs => $2))
          WHERE installation_id = $1`,
    forget: 'DELETE FROM signing_secrets WHERE installation_id = $1 AND expires_at < now()',
    add: 'INSERT INTO signing_secrets (installation_id, id, sealed) VALUES ($1, $2, $3)',
  },
};

/** The lock on the installation makes rotations come one after the other, so exactly one secret has no end. */
export const rotate = (
  database: Database,
  table: keyof typeof SECRET_TABLES,
  id: string,
  secret: { id: string; kept: Buffer | string },
  overlapSeconds: number,
): Promise<Rotated | 'uninstalled' | null> =>
  database.transaction(async (sql) => {
    const status = await lockedStatus(sql, id);
    if (status !== 'live') return status;
    const { end, forget, add } = SECRET_TABLES[table];
    await sql.query(forget, [id]);
    await sql.query(end, [id, overlapSeconds]);
    await sql.query(add, [id, secret.id, secret.kept]);
    const [row] = await sql.query<Rotated>(
      `SELECT iso(date_trunc('milliseconds', now()) + make_interval(secs => $1)) AS "previousExpiresAt"`,
      [overlapSeconds],
    );
    return row ?? null;
  });
