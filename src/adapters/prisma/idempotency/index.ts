import type { Cause } from '../../../domain/cause.ts';
import type { Database } from '../connection/database.ts';
import type { TransactionSql } from '../connection/sql.ts';
import { idempotencyLock, idempotencyRepository } from './idempotency-repository.ts';
import { keyLog } from './key-log.ts';

export interface IdempotencyOptions {
  readonly idempotencyTtlSeconds: number;
}

export const idempotencyPorts = (database: Database, { idempotencyTtlSeconds: ttl }: IdempotencyOptions) => ({
  idempotency: idempotencyRepository(database, ttl),
  keyLog: keyLog(database, ttl),
});

export const idempotencyWrites = (sql: TransactionSql, { idempotencyTtlSeconds: ttl }: IdempotencyOptions, cause: Cause) => ({
  idempotency: idempotencyLock(sql, ttl, cause),
});
