import type { Cause } from '../../../domain/cause.ts';
import type { IdempotencyLock, IdempotencyRepository } from '../../../domain/ports/idempotency/idempotency-repository.ts';
import type { Claim } from '../../../domain/ports/transaction.ts';
import type { Sql, TransactionSql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import type { TransactionOptions } from '../connection/transaction.ts';
import { KEY, KEY_COLUMNS, KEY_FIELDS, KEYS, knownKey } from './key-record.ts';
import { shareKeys } from '../work/key-lock.ts';
import { bytesOfHex } from '../connection/hex.ts';

/**
 * A commit that does not wait for the disk. A crash of the server may lose it, which leaves the key
 * as free as if nobody had come with it. Nothing that was done under the key outlives its claim: the
 * log is written in its order, so the commit of the work, which waits for the disk, takes the claim
 * along. The setting is that of this statement's own transaction.
 */
const CLAIM = statement({
  text: `
    INSERT INTO idempotency_records (installation_id, key, fingerprint)
    SELECT $installationId, $key, $fingerprint WHERE set_config('synchronous_commit', 'off', true) = 'off'
    ON CONFLICT DO NOTHING`,
  parameters: { ...KEY, fingerprint: 'bytea' },
});

const FIND = statement({
  text: `SELECT ${KEY_FIELDS} FROM ${KEYS} WHERE r.installation_id = $installationId AND r.key = $key`,
  parameters: { ...KEY, ttlSeconds: 'float8' },
  row: KEY_COLUMNS,
});

/** A retry may have been authenticated before the uninstall, and waited for it (key-lock.ts). */
const LOCK = statement({
  text: `
    SELECT ${KEY_FIELDS} FROM ${KEYS}
    WHERE r.installation_id = $installationId AND r.key = $key FOR UPDATE OF r SKIP LOCKED`,
  parameters: { ...KEY, ttlSeconds: 'float8' },
  row: KEY_COLUMNS,
});

const RESET = statement({
  text: `
    UPDATE idempotency_records
    SET fingerprint = $fingerprint, status = NULL, headers = NULL, body = NULL, finished_at = NULL, created_at = clock_timestamp(),
      request_id = NULL, began_at = NULL
    WHERE installation_id = $installationId AND key = $key`,
  parameters: { ...KEY, fingerprint: 'bytea' },
});

const REMEMBER = statement({
  text: `
    UPDATE idempotency_records SET status = $status, headers = $headers, body = $body, finished_at = clock_timestamp(),
      request_id = $requestId, began_at = now()
    WHERE installation_id = $installationId AND key = $key`,
  parameters: { ...KEY, status: 'int2', headers: 'jsonb', body: 'bytea?', requestId: 'uuid?' },
});

/** SKIP LOCKED leaves out the keys of requests that still run. */
const PURGE_FINISHED = statement({
  text: `
    DELETE FROM idempotency_records WHERE ctid = ANY (ARRAY(
      (SELECT ctid FROM idempotency_records WHERE finished_at < now() - make_interval(secs => $ttlSeconds)
       ORDER BY finished_at LIMIT $limit FOR UPDATE SKIP LOCKED)))`,
  parameters: { ttlSeconds: 'float8', limit: 'int8' },
});

const PURGE_ABANDONED = statement({
  text: `
    DELETE FROM idempotency_records WHERE ctid = ANY (ARRAY(
      (SELECT ctid FROM idempotency_records WHERE finished_at IS NULL AND created_at < now() - make_interval(secs => $ttlSeconds)
       ORDER BY created_at LIMIT $limit FOR UPDATE SKIP LOCKED)))`,
  parameters: { ttlSeconds: 'float8', limit: 'int8' },
});

/** An app that is uninstalled may have any number of keys, so its uninstall leaves them to batches. */
const PURGE_UNINSTALLED = statement({
  text: `
    DELETE FROM idempotency_records WHERE ctid = ANY (ARRAY(
      SELECT r.ctid FROM installations i CROSS JOIN LATERAL (
        SELECT ctid FROM idempotency_records WHERE installation_id = i.id LIMIT $limit FOR UPDATE SKIP LOCKED) r
      WHERE i.status = 'Uninstalled' LIMIT $limit))`,
  parameters: { limit: 'int8' },
});

export const idempotencyRepository = (sql: Sql, ttlSeconds: number): IdempotencyRepository => ({
  find: async ({ installationId, key }) => {
    const [row] = await sql.rows(FIND, { installationId, key, ttlSeconds });
    return row ? knownKey(row) : null;
  },
  purge: async (limit) => {
    const finished = await sql.execute(PURGE_FINISHED, { ttlSeconds, limit });
    const expired = finished + (await sql.execute(PURGE_ABANDONED, { ttlSeconds, limit: limit - finished }));
    return expired + (await sql.execute(PURGE_UNINSTALLED, { limit: limit - expired }));
  },
});

/** How a transaction under a key begins. All that is done under a key looks its rows up by keys. */
export const claiming = ({ scope: { installationId, key }, fingerprint }: Claim): TransactionOptions => ({
  beforehand: CLAIM.bind({ installationId, key, fingerprint: bytesOfHex(fingerprint) }),
  looksUpByKeys: true,
});

export const idempotencyLock = (sql: TransactionSql, ttlSeconds: number, cause: Cause): IdempotencyLock => ({
  lock: async ({ installationId, key }) => {
    shareKeys(sql, installationId);
    const [row] = await sql.rows(LOCK, { installationId, key, ttlSeconds });
    return row ? knownKey(row) : null;
  },
  reset: async ({ installationId, key }, fingerprint) => {
    await sql.execute(RESET, { installationId, key, fingerprint: bytesOfHex(fingerprint) });
  },
  remember: ({ installationId, key }, { status, headers, body }) => {
    const requestId = cause?.requestId ?? null;
    sql.enqueue(REMEMBER, { installationId, key, status, headers: JSON.stringify(headers), body, requestId });
    return Promise.resolve();
  },
});
