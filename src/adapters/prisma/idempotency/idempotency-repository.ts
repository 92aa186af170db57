import type { KeyRecord } from '../../../domain/idempotency/idempotency.ts';
import type { IdempotencyLock, IdempotencyRepository, KnownKey } from '../../../domain/ports/idempotency-repository.ts';
import type { Sql, TransactionSql } from '../connection/sql.ts';

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

export interface KeyRow {
  fingerprint: Buffer;
  status: number | null;
  headers: Record<string, string> | null;
  body: Buffer | null;
  expired: boolean;
}

/** The columns of a KeyRow, of `r` and with the memory's seconds as this parameter. */
export const keyColumns = (seconds: `$${number}`): string => `r.fingerprint, r.status, r.headers, r.body,
    coalesce(r.finished_at < clock_timestamp() - make_interval(secs => ${seconds}), false) AS expired`;

const FIND = `SELECT ${keyColumns('$3')} FROM idempotency_records r WHERE r.installation_id = $1 AND r.key = $2`;

/**
 * An uninstall takes the keys along. A retry that had passed the gate by then waits for its commit and inserts the key anew: what was done
 * and answered under it would be done again.
 */
const LOCK = `SELECT ${keyColumns('$3')}
  FROM idempotency_records r JOIN installations i ON i.id = r.installation_id AND i.status <> 'Uninstalled'
  WHERE r.installation_id = $1 AND r.key = $2 FOR UPDATE OF r SKIP LOCKED`;

const stateOf = (row: KeyRow): KeyRecord['state'] => {
  if (row.status === null) return 'abandoned';
  return row.expired ? 'expired' : 'finished';
};

export const known = (row: KeyRow): KnownKey => ({
  record: { state: stateOf(row), fingerprint: row.fingerprint.toString('hex'), replayable: row.body !== null },
  response: row.status === null ? null : { status: row.status, headers: row.headers ?? {}, body: row.body },
});

export const idempotencyRepository = (sql: Sql, ttlSeconds: number): IdempotencyRepository => ({
  claim: async ({ installationId, key }, fingerprint) => {
    await sql.query(
      'INSERT INTO idempotency_records (installation_id, key, fingerprint) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      [installationId, key, bytes(fingerprint)],
    );
  },
  find: async ({ installationId, key }) => {
    const [row] = await sql.query<KeyRow>(FIND, [installationId, key, ttlSeconds]);
    return row ? known(row) : null;
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
    const [row] = await sql.query<KeyRow>(LOCK, [installationId, key, ttlSeconds]);
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
