import { findOldest, isBefore, olderThan, removal } from '../connection/purge.ts';
import { statement } from '../connection/statement.ts';
import { APP_KEYS, KEY, KEY_COLUMNS, KEY_FIELDS, MERCHANT_KEYS, type KeyTable } from './key-record.ts';

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

export const OF_ALL = [KEYS.apps, KEYS.merchants] as const;

export const statementsFor = (scope: { readonly installationId: string | null }): typeof KEYS.apps =>
  scope.installationId === null ? KEYS.merchants : KEYS.apps;

/** An app that is uninstalled may have any number of keys, so its uninstall leaves them to batches. */
export const UNINSTALLED_APPS = statement({
  text: `
    SELECT i.store_id AS "storeId", i.id AS "installationId" FROM installations i
    WHERE i.status = 'Uninstalled' AND EXISTS (SELECT FROM idempotency_records r WHERE r.store_id = i.store_id AND r.installation_id = i.id)
    LIMIT $limit`,
  parameters: { limit: 'int8' },
  row: { storeId: 'uuid', installationId: 'uuid' },
});

export const PURGE_UNINSTALLED = statement({
  text: `
    DELETE FROM idempotency_records WHERE store_id = $storeId AND ctid = ANY (ARRAY(
      (SELECT ctid FROM idempotency_records WHERE store_id = $storeId AND installation_id = $installationId
       LIMIT $limit FOR UPDATE SKIP LOCKED)))`,
  parameters: { storeId: 'uuid', installationId: 'uuid', limit: 'int8' },
});
