import type { Cause } from '../../../domain/cause.ts';
import type { IdempotencyLock, IdempotencyRepository } from '../../../domain/ports/idempotency/idempotency-repository.ts';
import type { Claim } from '../../../domain/ports/transaction.ts';
import { bytesOfHex } from '../connection/hex.ts';
import { endOldest } from '../connection/purge.ts';
import type { Sql, TransactionSql } from '../connection/sql.ts';
import type { TransactionOptions } from '../connection/transaction-options.ts';
import { shareKeys } from '../work/key-lock.ts';
import { knownKey } from './key-record.ts';
import { OF_ALL, PURGE_UNINSTALLED, statementsFor, UNINSTALLED_APPS } from './key-statements.ts';

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
