import { tellAfterCommit } from '../../domain/after-commit.ts';
import type { AfterCommit } from '../../domain/after-commit.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { Ids } from '../../domain/ports/ids.ts';
import type { TransactionPorts } from '../../domain/ports/index.ts';
import { bulkProductRepository } from './bulk-product-repository.ts';
import { categoryRepository } from './category-repository.ts';
import { collectionReader } from './collection-reader.ts';
import { collectionRepository } from './collection-repository.ts';
import { deliveryLog } from './delivery-log.ts';
import { deliveryRepository } from './delivery-repository.ts';
import { productExporter } from './product-exporter.ts';
import { metaobjectRepository, metaobjectWrites } from './metaobject-repository.ts';
import { productReader } from './product-reader.ts';
import { productRepository } from './product-repository.ts';
import { subscriptionRepository } from './subscription-repository.ts';
import { taxClassRepository } from './tax-class-repository.ts';
import { DEFAULT_TOKEN_SECONDS } from '../../domain/token.ts';
import type { Database } from './database.ts';
import type { TransactionSql } from './sql.ts';
import type { TellHolders } from './work-gate.ts';
import { eventRepository } from './event-repository.ts';
import { idempotencyLock, idempotencyRepository } from './idempotency-repository.ts';
import { installationRemoval, installationRepository } from './installation-repository.ts';
import { mediaFileRepository, mediaFileUse } from './media-file-repository.ts';
import { mediaImportRepository, mediaImportWrites } from './media-import-repository.ts';
import { storeRepository } from './store-repository.ts';
import { tokenRepository } from './token-repository.ts';

export interface PrismaPortsOptions extends AfterCommit {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly idempotencyTtlSeconds: number;
  /** 3600 unless told. */
  readonly accessTokenTtlSeconds?: number;
  /** Milliseconds that a search of products may take; 2000 by default. */
  readonly searchTimeoutMs?: number;
  /** WorkFence.tell. Without it whoever stops deliveries waits for their holders, and then cuts them off. */
  readonly tellHolders?: TellHolders;
}

const transactionPorts = (sql: TransactionSql, options: PrismaPortsOptions): TransactionPorts => ({
  bulkProducts: bulkProductRepository(sql),
  categories: categoryRepository(sql),
  collections: collectionRepository(sql),
  products: productRepository(sql),
  taxClasses: taxClassRepository(sql),
  events: eventRepository(sql, options),
  idempotency: idempotencyLock(sql, options.idempotencyTtlSeconds),
  installations: installationRemoval(sql, options.tellHolders),
  mediaFiles: mediaFileUse(sql),
  mediaImports: mediaImportWrites(sql),
  metaobjects: metaobjectWrites(sql),
});

/** The ports that PostgreSQL stands behind. */
export const createPrismaPorts = (database: Database, options: PrismaPortsOptions) => ({
  transaction: {
    run: <T>(work: (ports: TransactionPorts) => Promise<T>): Promise<T> =>
      tellAfterCommit(options, (noting) => database.transaction((sql) => work(noting(transactionPorts(sql, options))))),
  },
  collectionReader: collectionReader(database),
  deliveries: deliveryRepository(database),
  deliveryLog: deliveryLog(database, options),
  productExporter: productExporter(database),
  productReader: productReader(database, options.searchTimeoutMs),
  idempotency: idempotencyRepository(database, options.idempotencyTtlSeconds),
  installations: installationRepository(database, options.tellHolders),
  mediaFiles: mediaFileRepository(database),
  mediaImports: mediaImportRepository(database),
  metaobjects: metaobjectRepository(database),
  subscriptions: subscriptionRepository(database, options.tellHolders),
  stores: storeRepository(database, options.tellHolders),
  tokens: tokenRepository(database, options.accessTokenTtlSeconds ?? DEFAULT_TOKEN_SECONDS, options.idempotencyTtlSeconds),
});
