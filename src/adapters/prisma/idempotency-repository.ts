import type { KeyRecord } from '../../domain/idempotency.ts';
import type { IdempotencyLock, IdempotencyRepository, KnownKey } from '../../domain/ports/idempotency-repository.ts';
import type { Sql, TransactionSql } from './database.ts';

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

interface KeyRow {
  fingerprint: Buffer;
  status: number | null;
  headers: Record<string, string> | null;
  body: Buffer | null;
  expired: boolean;
}

/**
 * An uninstall takes the keys along. A retry that had passed the gate by then waits for its commit and inserts the key anew: what was done
 * and answered under it would be done again.
 */
const KEYS = `SELECT r.fingerprint, r.status, r.headers, r.body,
    coalesce(r.finished_at < clock_timestamp() - make_interval(secs => $3), false) AS expired
  FROM idempotency_records r JOIN installations i ON i.id = r.installation_id AND i.status <> 'Uninstalled'
  WHERE r.installation_id = $1 AND r.key = $2`;

/**
 * Inserts only where nothing finished is found: an insertion that meets its key already costs PostgreSQL more than the whole look-up. What
 * it inserts it does not see itself; nor what another inserted since it began, which has not finished.
 */
const CLAIM = `
  WITH finished AS MATERIALIZED (SELECT * FROM (${KEYS} AND r.finished_at IS NOT NULL) k WHERE NOT expired),
    claimed AS (
      INSERT INTO idempotency_records (installation_id, key, fingerprint)
      SELECT $1, $2, $4 WHERE NOT EXISTS (SELECT FROM finished) ON CONFLICT DO NOTHING)
  SELECT * FROM finished`;

const stateOf = (row: KeyRow): KeyRecord['state'] => {
  if (row.status === null) return 'abandoned';
  return row.expired ? 'expired' : 'finished';
};

const known = (row: KeyRow): KnownKey => ({
  record: { state: stateOf(row), fingerprint: row.fingerprint.toString('hex'), replayable: row.body !== null },
  response: row.status === null ? null : { status: row.status, headers: row.headers ?? {}, body: row.body },
});

export const idempotencyRepository = (sql: Sql, ttlSeconds: number): IdempotencyRepository => ({
  claim: async ({ installationId, key }, fingerprint) => {
    const [row] = await sql.query<KeyRow>(CLAIM, [installationId, key, ttlSeconds, bytes(fingerprint)]);
    return row ? known(row) : null;
  },
  fingerprint: async ({ installationId, key }) => {
    const rows = await sql.query<{ fingerprint: Buffer }>(
      'SELECT fingerprint FROM idempotency_records WHERE installation_id = $1 AND key = $2',
      [installationId, key],
    );
    return rows[0]?.fingerprint.toString('hex') ?? null;
  },
  purge: async (limit) => {
    // SKIP LOCKED leaves out what a live runner has; the running are as old as their beginning, the finished as their end.
    const rows = await sql.query(
      `DELETE FROM idempotency_records WHERE ctid = ANY (ARRAY(
         (SELECT ctid FROM idempotency_records WHERE finished_at < now() - make_interval(secs => $1)
          ORDER BY finished_at LIMIT $2 FOR UPDATE SKIP LOCKED)))
       RETURNING 1`,
      [ttlSeconds, limit],
    );
    const abandoned = await sql.query(
      `DELETE FROM idempotency_records WHERE ctid = ANY (ARRAY(
         (SELECT ctid FROM idempotency_records WHERE finished_at IS NULL AND created_at < now() - make_interval(secs => $1)
          ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)))
       RETURNING 1`,
      [ttlSeconds, limit - rows.length],
    );
    return rows.length + abandoned.length;
  },
});

export const idempotencyLock = (sql: TransactionSql, ttlSeconds: number): IdempotencyLock => ({
  lock: async ({ installationId, key }) => {
    const [row] = await sql.query<KeyRow>(`${KEYS} FOR UPDATE OF r SKIP LOCKED`, [installationId, key, ttlSeconds]);
    return row ? known(row) : null;
  },
  reset: async ({ installationId, key }, fingerprint) => {
    await sql.query(
      `UPDATE idempotency_records
       SET fingerprint = $3, status = NULL, headers = NULL, body = NULL, finished_at = NULL, created_at = clock_timestamp()
       WHERE installation_id = $1 AND key = $2`,
      [installationId, key, bytes(fingerprint)],
    );
  },
  remember: async ({ installationId, key }, { status, headers, body }) => {
    await sql.send(
      `UPDATE idempotency_records SET status = $3, headers = $4::jsonb, body = $5, finished_at = clock_timestamp()
       WHERE installation_id = $1 AND key = $2`,
      [installationId, key, status, JSON.stringify(headers), body],
    );
  },
});
