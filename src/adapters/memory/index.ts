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
import { eventRepository } from './event-repository.ts';
import { idempotencyLock, idempotencyRepository } from './idempotency-repository.ts';
import { installationRemoval, installationRepository } from './installation-repository.ts';
import { mediaFileRepository, mediaFileUse } from './media-file-repository.ts';
import { mediaImportRepository, mediaImportWrites } from './media-import-repository.ts';
import { createMemoryState, snapshot } from './state.ts';
import type { MemoryState } from './state.ts';
import { storeRepository } from './store-repository.ts';
import { tokenRepository } from './token-repository.ts';

export interface MemoryPortsOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly idempotencyTtlSeconds: number;
  /** 3600 unless told. */
  readonly accessTokenTtlSeconds?: number;
  /** Told of each store once after the commit of events of it. Must not throw, and is not awaited. */
  readonly onEvents?: (storeId: string) => void;
  /** Told of each installation once after the commit of an import of its own. Must not throw, and is not awaited. */
  readonly onImports?: (installationId: string) => void;
}

/** Who is told of after the commit: the stores of events, the installations of imports. */
interface Noted {
  readonly stores: Set<string>;
  readonly installations: Set<string>;
}

const noting = (ports: TransactionPorts, { stores, installations }: Noted): TransactionPorts => ({
  ...ports,
  events: {
    append: (list) => {
      for (const { storeId } of list) stores.add(storeId);
      return ports.events.append(list);
    },
  },
  mediaImports: {
    ...ports.mediaImports,
    create: (given) => {
      installations.add(given.installationId);
      return ports.mediaImports.create(given);
    },
  },
});

const tell = (noted: Noted, { onEvents, onImports }: Pick<MemoryPortsOptions, 'onEvents' | 'onImports'>): void => {
  for (const storeId of noted.stores) onEvents?.(storeId);
  for (const installationId of noted.installations) onImports?.(installationId);
};

/** The same ports without I/O, for tests of the application. A transaction that throws puts every table back; others running beside it are not isolated from it. */
export const createMemoryPorts = (options: MemoryPortsOptions, state: MemoryState = createMemoryState()) => {
  const { clock, idempotencyTtlSeconds: ttl } = options;
  const locked = new Set<string>();
  const transactionPorts = (mine: Set<string>): TransactionPorts => ({
    bulkProducts: bulkProductRepository(state),
    categories: categoryRepository(state),
    collections: collectionRepository(state),
    products: productRepository(state),
    taxClasses: taxClassRepository(state),
    events: eventRepository(state, options),
    idempotency: idempotencyLock(state, locked, mine, clock, ttl),
    installations: installationRemoval(state, clock),
    mediaFiles: mediaFileUse(state),
    mediaImports: mediaImportWrites(state, clock),
    metaobjects: metaobjectWrites(state, clock),
  });
  return {
    transaction: {
      run: async <T>(work: (ports: TransactionPorts) => Promise<T>): Promise<T> => {
        const restore = snapshot(state);
        const mine = new Set<string>();
        const noted: Noted = { stores: new Set(), installations: new Set() };
        try {
          const value = await work(noting(transactionPorts(mine), noted));
          tell(noted, options);
          return value;
        } catch (error) {
          restore();
          throw error;
        } finally {
          for (const id of mine) locked.delete(id);
        }
      },
    },
    collectionReader: collectionReader(state),
    deliveries: deliveryRepository(state, options),
    deliveryLog: deliveryLog(state, options),
    productExporter: productExporter(state),
    productReader: productReader(state),
    idempotency: idempotencyRepository(state, locked, clock, ttl),
    installations: installationRepository(state, clock),
    mediaFiles: mediaFileRepository(state, clock),
    mediaImports: mediaImportRepository(state, clock),
    metaobjects: metaobjectRepository(state),
    subscriptions: subscriptionRepository(state, clock),
    stores: storeRepository(state, clock),
    tokens: tokenRepository(state, clock, options.accessTokenTtlSeconds ?? DEFAULT_TOKEN_SECONDS),
  };
};
