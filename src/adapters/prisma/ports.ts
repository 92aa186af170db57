import type { Cause } from '../../domain/cause.ts';
import type { Transaction, TransactionPorts } from '../../domain/ports/transaction.ts';
import { cataloguePorts, catalogueWrites, type CatalogueOptions } from './catalogue/index.ts';
import type { Database } from './connection/database.ts';
import type { TransactionSql } from './connection/sql.ts';
import { metaobjectRepository, metaobjectWrites } from './custom-data/metaobject-repository.ts';
import { acceptErasure, erasureOfStores } from './erasure/store-erasure.ts';
import { claiming } from './idempotency/idempotency-repository.ts';
import { idempotencyPorts, idempotencyWrites, type IdempotencyOptions } from './idempotency/index.ts';
import { identityPorts, identityWrites, type IdentityOptions } from './identity/index.ts';
import { storeRepository } from './identity/store-repository.ts';
import { insightPorts } from './insight/index.ts';
import { mediaPorts, mediaWrites } from './media/index.ts';
import { webhookPorts, webhookWrites, type WebhookOptions } from './webhooks/index.ts';
import { locator } from './work/locator.ts';

export interface PrismaPortsOptions extends CatalogueOptions, IdempotencyOptions, IdentityOptions, WebhookOptions {
  /** Seconds after which the last rows and the files of an erased store go; 60 by default. */
  readonly erasureSettlesSeconds?: number;
}

const transactionPorts = (sql: TransactionSql, options: PrismaPortsOptions, cause: Cause): TransactionPorts => ({
  ...catalogueWrites(sql),
  ...idempotencyWrites(sql, options, cause),
  ...identityWrites(sql, options),
  ...mediaWrites(sql, cause),
  ...webhookWrites(sql, options, cause),
  metaobjects: metaobjectWrites(sql),
});

export const createPrismaPorts = (database: Database, options: PrismaPortsOptions) => ({
  transaction: {
    run: (cause, work) => database.transaction((sql) => work(transactionPorts(sql, options, cause))),
    runClaimed: (claim, work) =>
      database.transaction((sql) => work(transactionPorts(sql, options, claim.cause)), claiming(claim)),
  } satisfies Transaction,
  ...cataloguePorts(database, options),
  ...idempotencyPorts(database, options),
  ...identityPorts(database, options),
  ...insightPorts(database),
  ...mediaPorts(database),
  ...webhookPorts(database, options),
  locator: locator(database),
  metaobjects: metaobjectRepository(database),
  // An erasure reaches the rows of every room.
  stores: storeRepository(database, acceptErasure, options.announceStop),
  storeErasure: erasureOfStores(database, { announce: options.announceStop, settlesSeconds: options.erasureSettlesSeconds }),
});
