import type { Cause } from '../../../domain/cause.ts';
import type { IdempotencyLock, IdempotencyRepository } from '../../../domain/ports/idempotency/idempotency-repository.ts';
import type { Claim } from '../../../domain/ports/transaction.ts';
import type { Sql, TransactionSql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import type { TransactionOptions } from '../connection/transaction.ts';
import { IS_KEY, KEY, KEY_COLUMNS, KEY_FIELDS, KEYS, knownKey } from './key-record.ts';
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
    INSERT INTO idempotency_records (store_id, installation_id, key, fingerprint)
    SELECT $storeId, $installationId, $key, $fingerprint WHERE set_config('synchronous_commit', 'off', true) = 'off'
    ON CONFLICT DO NOTHING`,
  parameters: { ...KEY, fingerprint: 'bytea' },
});

const FIND = statement({
  text: `SELECT ${KEY_FIELDS} FROM ${KEYS} WHERE ${IS_KEY}`,
  parameters: { ...KEY, ttlSeconds: 'float8' },
  row: KEY_COLUMNS,
});

/** A retry may have been authenticated before the uninstall, and waited for it (key-lock.ts). */
const LOCK = statement({
  text: `
    SELECT ${KEY_FIELDS} FROM ${KEYS}
    WHERE ${IS_KEY} FOR UPDATE OF r SKIP LOCKED`,
  parameters: { ...KEY, ttlSeconds: 'float8' },
  row: KEY_COLUMNS,
});

const RESET = statement({
  text: `
    UPDATE idempotency_records r
    SET fingerprint = $fingerprint, status = NULL, headers = NULL, body = NULL, finished_at = NULL, created_at = clock_timestamp(),
      request_id = NULL, began_at = NULL
    WHERE ${IS_KEY}`,
  parameters: { ...KEY, fingerprint: 'bytea' },
});

const REMEMBER = statement({
  text: `
    UPDATE idempotency_records r SET status = $status, headers = $headers, body = $body, finished_at = clock_timestamp(),
      request_id = $requestId, began_at = now()
    WHERE ${IS_KEY}`,
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
const UNINSTALLED = statement({
  text: `
    SELECT i.store_id AS "storeId", i.id AS "installationId" FROM installations i
    WHERE i.status = 'Uninstalled' AND EXISTS (SELECT FROM idempotency_records r WHERE r.store_id = i.store_id AND r.installation_id = i.id)
    LIMIT $limit`,
  parameters: { limit: 'int8' },
  row: { storeId: 'uuid', installationId: 'uuid' },
});

const PURGE_UNINSTALLED = statement({
  text: `
    DELETE FROM idempotency_records WHERE store_id = $storeId AND ctid = ANY (ARRAY(
      (SELECT ctid FROM idempotency_records WHERE store_id = $storeId AND installation_id = $installationId
       LIMIT $limit FOR UPDATE SKIP LOCKED)))`,
  parameters: { storeId: 'uuid', installationId: 'uuid', limit: 'int8' },
});

export const idempotencyRepository = (sql: Sql, ttlSeconds: number): IdempotencyRepository => ({
  find: async (scope) => {
    const [row] = await sql.rows(FIND, { ...scope, ttlSeconds });
    return row ? knownKey(row) : null;
  },
  purge: async (limit) => {
    const finished = await sql.execute(PURGE_FINISHED, { ttlSeconds, limit });
    let purged = finished + (await sql.execute(PURGE_ABANDONED, { ttlSeconds, limit: limit - finished }));
    for (const app of await sql.rows(UNINSTALLED, { limit: limit - purged })) {
      if (purged >= limit) break;
      purged += await sql.execute(PURGE_UNINSTALLED, { ...app, limit: limit - purged });
    }
    return purged;
  },
});

/** How a transaction under a key begins. All that is done under a key looks its rows up by keys. */
export const claiming = ({ scope, fingerprint }: Claim): TransactionOptions => ({
  beforehand: CLAIM.bind({ ...scope, fingerprint: bytesOfHex(fingerprint) }),
  looksUpByKeys: true,
});

export const idempotencyLock = (sql: TransactionSql, ttlSeconds: number, cause: Cause): IdempotencyLock => ({
  lock: async (scope) => {
    shareKeys(sql, scope.installationId);
    const [row] = await sql.rows(LOCK, { ...scope, ttlSeconds });
    return row ? knownKey(row) : null;
  },
  reset: async (scope, fingerprint) => {
    await sql.execute(RESET, { ...scope, fingerprint: bytesOfHex(fingerprint) });
  },
  remember: (scope, { status, headers, body }) => {
    const requestId = cause?.requestId ?? null;
    sql.enqueue(REMEMBER, { ...scope, status, headers: JSON.stringify(headers), body, requestId });
    return Promise.resolve();
  },
});
