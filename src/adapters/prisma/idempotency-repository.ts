import type { KeyRecord } from '../../domain/idempotency.ts';
import type { IdempotencyLock, IdempotencyRepository } from '../../domain/ports/idempotency-repository.ts';
import type { Sql } from './database.ts';

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

export const idempotencyRepository = (sql: Sql, ttlSeconds: number): IdempotencyRepository => ({
  insert: async ({ installationId, key }, fingerprint) => {
    await sql.query(
      'INSERT INTO idempotency_records (installation_id, key, fingerprint) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      [installationId, key, bytes(fingerprint)],
    );
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

interface LockedRow {
  fingerprint: Buffer;
  status: number | null;
  headers: Record<string, string> | null;
  body: Buffer | null;
  expired: boolean;
}

const stateOf = (row: LockedRow): KeyRecord['state'] => {
  if (row.status === null) return 'abandoned';
  return row.expired ? 'expired' : 'finished';
};

export const idempotencyLock = (sql: Sql, ttlSeconds: number): IdempotencyLock => ({
  lock: async ({ installationId, key }) => {
    const [row] = await sql.query<LockedRow>(
      `SELECT fingerprint, status, headers, body,
         coalesce(finished_at < clock_timestamp() - make_interval(secs => $3), false) AS expired
       FROM idempotency_records WHERE installation_id = $1 AND key = $2 FOR UPDATE SKIP LOCKED`,
      [installationId, key, ttlSeconds],
    );
    if (!row) return null;
    return {
      record: { state: stateOf(row), fingerprint: row.fingerprint.toString('hex'), replayable: row.body !== null },
      response: row.status === null ? null : { status: row.status, headers: row.headers ?? {}, body: row.body },
    };
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
    await sql.query(
      `UPDATE idempotency_records SET status = $3, headers = $4::jsonb, body = $5, finished_at = clock_timestamp()
       WHERE installation_id = $1 AND key = $2`,
      [installationId, key, status, JSON.stringify(headers), body],
    );
  },
});
