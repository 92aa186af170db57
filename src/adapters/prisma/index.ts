import type { Clock } from '../../domain/ports/clock.ts';
import type { Ids } from '../../domain/ports/ids.ts';
import type { TransactionPorts } from '../../domain/ports/index.ts';
import { bulkProductRepository } from './bulk-product-repository.ts';
import type { Database, Sql } from './database.ts';
import { eventRepository } from './event-repository.ts';
import { idempotencyLock, idempotencyRepository } from './idempotency-repository.ts';

export interface PrismaPortsOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly idempotencyTtlSeconds: number;
}

const transactionPorts = (sql: Sql, options: PrismaPortsOptions): TransactionPorts => ({
  bulkProducts: bulkProductRepository(sql),
  events: eventRepository(sql, options),
  idempotency: idempotencyLock(sql, options.idempotencyTtlSeconds),
});

/** The ports that PostgreSQL stands behind. */
export const createPrismaPorts = (database: Database, options: PrismaPortsOptions) => ({
  transaction: {
    run: <T>(work: (ports: TransactionPorts) => Promise<T>) => database.transaction((sql) => work(transactionPorts(sql, options))),
  },
  idempotency: idempotencyRepository(database, options.idempotencyTtlSeconds),
});
