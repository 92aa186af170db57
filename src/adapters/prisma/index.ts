import type { Clock } from '../../domain/ports/clock.ts';
import type { EventRepository } from '../../domain/ports/event-repository.ts';
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
import type { Database, Sql } from './database.ts';
import type { TellHolders } from './delivery-gate.ts';
import { eventRepository } from './event-repository.ts';
import { idempotencyLock, idempotencyRepository } from './idempotency-repository.ts';
import { installationRemoval, installationRepository } from './installation-repository.ts';
import { storeRepository } from './store-repository.ts';
import { tokenRepository } from './token-repository.ts';

export interface PrismaPortsOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly idempotencyTtlSeconds: number;
  /** 3600 unless told. */
  readonly accessTokenTtlSeconds?: number;
  /** DeliveryFence.tell. Without it whoever stops deliveries waits for their holders, and then cuts them off. */
  readonly tellHolders?: TellHolders;
  /** Told of each store once after the commit of events of it. Must not throw, and is not awaited. */
  readonly onEvents?: (storeId: string) => void;
}

const transactionPorts = (sql: Sql, options: PrismaPortsOptions): TransactionPorts => ({
  bulkProducts: bulkProductRepository(sql),
  categories: categoryRepository(sql),
  collections: collectionRepository(sql),
  products: productRepository(sql),
  taxClasses: taxClassRepository(sql),
  events: eventRepository(sql, options),
  idempotency: idempotencyLock(sql, options.idempotencyTtlSeconds),
  installations: installationRemoval(sql, options.tellHolders),
  metaobjects: metaobjectWrites(sql),
});

/** The same, adding to `stores` those of the events. */
const notingStores = (events: EventRepository, stores: Set<string>): EventRepository => ({
  append: (list) => {
    for (const { storeId } of list) stores.add(storeId);
    return events.append(list);
  },
});

/** The ports that PostgreSQL stands behind. */
export const createPrismaPorts = (database: Database, options: PrismaPortsOptions) => ({
  transaction: {
    run: async <T>(work: (ports: TransactionPorts) => Promise<T>): Promise<T> => {
      const stores = new Set<string>();
      const value = await database.transaction((sql) => {
        const ports = transactionPorts(sql, options);
        return work({ ...ports, events: notingStores(ports.events, stores) });
      });
      for (const storeId of stores) options.onEvents?.(storeId);
      return value;
    },
  },
  collectionReader: collectionReader(database),
  deliveries: deliveryRepository(database),
  deliveryLog: deliveryLog(database, options),
  productExporter: productExporter(database),
  productReader: productReader(database),
  idempotency: idempotencyRepository(database, options.idempotencyTtlSeconds),
  installations: installationRepository(database, options.tellHolders),
  metaobjects: metaobjectRepository(database),
  subscriptions: subscriptionRepository(database, options.tellHolders),
  stores: storeRepository(database, options.tellHolders),
  tokens: tokenRepository(database, options.accessTokenTtlSeconds ?? DEFAULT_TOKEN_SECONDS),
});
