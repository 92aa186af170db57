import type { Cause } from '../../../domain/cause.ts';
import type { IdempotencyLock, IdempotencyRepository } from '../../../domain/ports/idempotency/idempotency-repository.ts';
import type { Claim } from '../../../domain/ports/transaction.ts';
import { bytesOfHex } from '../connection/hex.ts';
import { findOldest, isBefore, olderThan, removal, endOldest } from '../connection/purge.ts';
import type { Sql, TransactionSql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import type { TransactionOptions } from '../connection/transaction-options.ts';
import { shareKeys } from '../work/key-lock.ts';
import { APP_KEYS, KEY, KEY_COLUMNS, KEY_FIELDS, MERCHANT_KEYS, type KeyTable, knownKey } from './key-record.ts';

/** Builds the statements for both tables. */
const ofBoth = <T>(statementsOf: (table: KeyTable) => T) => ({
  apps: statementsOf(APP_KEYS),
  merchants: statementsOf(MERCHANT_KEYS),
});

const finished = (table: string) => olderThan(table, 'finished_at');
const abandoned = (table: string) => ({
  table,
  at: 'created_at',
  isDue: () => `finished_at IS NULL AND ${isBefore('created_at')}`,
});

/** Statements on the keys of apps, and on those of merchants in their own table. */
const KEYS = ofBoth(({ table, columns, values, claimedIf, known, isKey }) => ({
  /**
   * A commit that does not wait for the disk. A crash of the server may lose it, which leaves the key
   * as free as if nobody had come with it. Nothing that was done under the key outlives its claim: the
   * log is written in its order, so the commit of the work, which waits for the disk, takes the claim
   * along. The setting is that of this statement's own transaction. It is made in VALUES, which Citus sends to the key's
   * node as one command.
   */
  claim: statement({
    text: `
    INSERT INTO ${table} (${columns}, fingerprint)
    VALUES (${values}, CASE WHEN ${claimedIf}set_config('synchronous_commit', 'off', true) = 'off' THEN $fingerprint::bytea END)
    ON CONFLICT DO NOTHING`,
    parameters: { ...KEY, fingerprint: 'bytea' },
  }),
  find: statement({
    text: `SELECT ${KEY_FIELDS} FROM ${known} WHERE ${isKey}`,
    parameters: { ...KEY, ttlSeconds: 'float8' },
    row: KEY_COLUMNS,
  }),
  /** A retry may have been authenticated before the uninstall, and waited for it (key-lock.ts). */
  lock: statement({
    text: `
    SELECT ${KEY_FIELDS} FROM ${known}
    WHERE ${isKey} FOR UPDATE OF r SKIP LOCKED`,
    parameters: { ...KEY, ttlSeconds: 'float8' },
    row: KEY_COLUMNS,
  }),
  reset: statement({
    text: `
    UPDATE ${table} r
    SET fingerprint = $fingerprint, status = NULL, headers = NULL, body = NULL, finished_at = NULL, created_at = statement_timestamp(),
      request_id = NULL, began_at = NULL
    WHERE ${isKey}`,
    parameters: { ...KEY, fingerprint: 'bytea' },
  }),
  remember: statement({
    text: `
    UPDATE ${table} r SET status = $status, headers = $headers, body = $body, finished_at = statement_timestamp(),
      request_id = $requestId, began_at = now()
    WHERE ${isKey}`,
    parameters: { ...KEY, status: 'int2', headers: 'jsonb', body: 'bytea?', requestId: 'uuid?' },
  }),
  /** SKIP LOCKED leaves out the keys of requests that still run. */
  purgeFinished: { find: statement(findOldest(finished(table))), end: statement(removal(finished(table))) },
  purgeAbandoned: { find: statement(findOldest(abandoned(table))), end: statement(removal(abandoned(table))) },
}));

const OF_ALL = [KEYS.apps, KEYS.merchants] as const;

const statementsFor = (scope: { readonly installationId: string | null }): typeof KEYS.apps =>
  scope.installationId === null ? KEYS.merchants : KEYS.apps;

/** An app that is uninstalled may have any number of keys, so its uninstall leaves them to batches. */
const UNINSTALLED_APPS = statement({
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
    const [row] = await sql.rows(statementsFor(scope).find, { ...scope, ttlSeconds });
    return row ? knownKey(row) : null;
  },
  purge: async (limit) => {
    let purged = 0;
    for (const { purgeFinished, purgeAbandoned } of OF_ALL) {
      purged += await endOldest(sql, purgeFinished, ttlSeconds, limit - purged);
      purged += await endOldest(sql, purgeAbandoned, ttlSeconds, limit - purged);
    }
    for (const app of await sql.rows(UNINSTALLED_APPS, { limit: limit - purged })) {
      if (purged >= limit) break;
      purged += await sql.execute(PURGE_UNINSTALLED, { ...app, limit: limit - purged });
    }
    return purged;
  },
});

/** Beginning of a transaction under a key. All that is done under a key looks its rows up by keys. */
export const claiming = ({ scope, fingerprint }: Claim): TransactionOptions => ({
  beforehand: statementsFor(scope).claim.bind({ ...scope, fingerprint: bytesOfHex(fingerprint) }),
  looksUpByKeys: true,
});

export const idempotencyLock = (sql: TransactionSql, ttlSeconds: number, cause: Cause): IdempotencyLock => ({
  lock: async (scope) => {
    if (scope.installationId !== null) shareKeys(sql, scope.installationId);
    const [row] = await sql.rows(statementsFor(scope).lock, { ...scope, ttlSeconds });
    return row ? knownKey(row) : null;
  },
  reset: async (scope, fingerprint) => {
    await sql.execute(statementsFor(scope).reset, { ...scope, fingerprint: bytesOfHex(fingerprint) });
  },
  remember: (scope, { status, headers, body }) => {
    const requestId = cause?.requestId ?? null;
    sql.enqueue(statementsFor(scope).remember, { ...scope, status, headers: JSON.stringify(headers), body, requestId });
    return Promise.resolve();
  },
});
