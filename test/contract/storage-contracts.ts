import { describe, it } from 'vitest';

import type { StoragePromise } from '../../src/adapters/storage/storage-engine.ts';
import { admissionContract } from './admission.contract.ts';
import { appLifeContract } from './app-life.contract.ts';
import { appConsoleSessionsContract } from './app-console-sessions.contract.ts';
import { auditLogContract } from './audit-log.contract.ts';
import { backlogContract } from './backlog.contract.ts';
import { bulkProductRepositoryContract } from './bulk-product-repository.contract.ts';
import { bulkVariantRepositoryContract } from './bulk-variant-repository.contract.ts';
import { withSaving } from './catalogue-worlds.ts';
import { categoryRepositoryContract } from './category-repository.contract.ts';
import { collectionReaderContract } from './collection-reader.contract.ts';
import { collectionRepositoryContract } from './collection-repository.contract.ts';
import { consoleSessionsContract } from './console-sessions.contract.ts';
import type { CustomDataWorld } from './custom-data-world.ts';
import { developerSessionsContract } from './developer-sessions.contract.ts';
import { deliveryLogContract } from './delivery-log.contract.ts';
import { deliveryRepositoryContract } from './delivery-repository.contract.ts';
import type { DeliveryWorld } from './delivery-worlds.ts';
import { eventFeedContract } from './event-feed.contract.ts';
import { eventRepositoryContract } from './event-repository.contract.ts';
import { feedSignalContract, type SignalWorld } from './feed-signal.contract.ts';
import { figuresContract } from './figures.contract.ts';
import { finderContract } from './finder.contract.ts';
import { idempotencyRepositoryContract } from './idempotency-repository.contract.ts';
import type { IdentityWorld } from './identity-worlds.ts';
import { incidentNoticesContract } from './incident-notices.contract.ts';
import { incidentSignalsContract } from './incident-signals.contract.ts';
import { incidentsContract } from './incidents.contract.ts';
import { processesContract } from './processes.contract.ts';
import { sandboxRecordsContract } from './sandbox-records.contract.ts';
import { sandboxRoomContract } from './sandbox-room.contract.ts';
import { installRequestsContract } from './install-requests.contract.ts';
import { installationRepositoryContract } from './installation-repository.contract.ts';
import { invariantsContract } from './invariants.contract.ts';
import { keyLogContract } from './key-log.contract.ts';
import { leftOut } from './left-out.ts';
import { locatorContract } from './locator.contract.ts';
import { mediaFileRepositoryContract, type MediaFileWorld } from './media-file-repository.contract.ts';
import { mediaImportLogContract } from './media-import-log.contract.ts';
import { mediaImportRepositoryContract, type MediaImportWorld } from './media-import-repository.contract.ts';
import { metaobjectRepositoryContract } from './metaobject-repository.contract.ts';
import { nodeMessagesContract, type MessagesWorld } from './node-messages.contract.ts';
import { operatorRepositoryContract } from './operator-repository.contract.ts';
import { operatorTokensContract } from './operator-tokens.contract.ts';
import { signInMethodsContract } from './sign-in-methods.contract.ts';
import { platformAppRepositoryContract } from './platform-app-repository.contract.ts';
import { productExporterContract } from './product-exporter.contract.ts';
import { productImportLogContract } from './product-import-log.contract.ts';
import { productReaderContract } from './product-reader.contract.ts';
import { productRepositoryContract } from './product-repository.contract.ts';
import { redeliveryRepositoryContract } from './redelivery-repository.contract.ts';
import { repairsContract } from './repairs.contract.ts';
import { requestLogContract } from './request-log.contract.ts';
import type { CrashWorld, RulesWorld } from './rules/rules-world.ts';
import { storageRulesContract } from './storage-rules.ts';
import { storeErasureContract } from './store-erasure.contract.ts';
import { storeRepositoryContract } from './store-repository.contract.ts';
import { subscriptionChangesContract } from './subscription-changes.contract.ts';
import { subscriptionRepositoryContract } from './subscription-repository.contract.ts';
import { taxClassRepositoryContract } from './tax-class-repository.contract.ts';
import { tokenRepositoryContract } from './token-repository.contract.ts';
import { variantReaderContract } from './variant-reader.contract.ts';
import { warehouseReaderContract } from './warehouse-reader.contract.ts';
import { warehouseRepositoryContract } from './warehouse-repository.contract.ts';
import { transactionContract } from './transaction.contract.ts';
import { workLeaseContract, type LeaseWorld } from './work-lease.contract.ts';
import type { World } from './worlds.ts';

/**
 * Worlds that a storage adapter makes for the suites. Each opens a separate empty storage, with
 * access for inserting and reading rows, and for letting time pass.
 */
export interface StorageWorlds {
  /** Names the adapter in the titles of the tests. */
  readonly name: string;
  readonly promises: ReadonlySet<StoragePromise>;
  rules(): Promise<RulesWorld>;
  core(): Promise<World>;
  identity(): Promise<IdentityWorld>;
  customData(): Promise<CustomDataWorld>;
  deliveries(): Promise<DeliveryWorld>;
  mediaFiles(): Promise<MediaFileWorld>;
  mediaImports(): Promise<MediaImportWorld>;
  /** Is there where the engine is `durable`. */
  readonly durable?: () => Promise<CrashWorld>;
  /** Is there where the engine `wakes`. */
  readonly feedSignal?: () => Promise<SignalWorld>;
  /** Are there where the engine promises `many_nodes`. */
  readonly leases?: () => Promise<LeaseWorld>;
  readonly messages?: () => Promise<MessagesWorld>;
}

type Worlds<Opened extends keyof StorageWorlds> = Pick<StorageWorlds, 'name' | 'promises' | Opened>;

/** Runs the suite if the engine promises what it is about. Otherwise the test that it leaves out says so. */
const promised = <World>(
  { name, promises }: Worlds<'name'>,
  promise: StoragePromise,
  port: string,
  open: (() => Promise<World>) | undefined,
  suite: (name: string, open: () => Promise<World>) => void,
): void => {
  if (open && promises.has(promise)) suite(name, open);
  else
    describe(`${port} on ${name}`, () => {
      it(`needs ${promise}`, ({ task, skip }) =>
        leftOut(task, skip, promises.has(promise) ? 'not written' : 'not promised', promise));
    });
};

const catalogueOf = (worlds: Worlds<'core'>) => async () => withSaving(await worlds.core());

/**
 * The suites by room, with the worlds that each opens. An adapter passes them in this order most easily. A room has a few tests
 * that use ports of later ones.
 */
export const ROOMS = {
  identity: ({ name, identity, customData }: Worlds<'identity' | 'customData'>) => {
    storeRepositoryContract(name, identity);
    installationRepositoryContract(name, identity);
    tokenRepositoryContract(name, identity);
    admissionContract(name, identity);
    operatorRepositoryContract(name, identity);
    operatorTokensContract(name, identity);
    signInMethodsContract(name, identity);
    consoleSessionsContract(name, identity);
    appConsoleSessionsContract(name, identity);
    developerSessionsContract(name, identity);
    platformAppRepositoryContract(name, identity);
    installRequestsContract(name, identity);
    sandboxRecordsContract(name, identity);
    sandboxRoomContract(name, identity);
    subscriptionRepositoryContract(name, customData, identity);
    storeErasureContract(name, identity);
  },
  idempotency: ({ name, core }: Worlds<'core'>) => {
    transactionContract(name, core);
    idempotencyRepositoryContract(name, core);
    keyLogContract(name, core);
  },
  customData: ({ name, customData }: Worlds<'customData'>) => {
    metaobjectRepositoryContract(name, customData);
  },
  catalogue: (worlds: Worlds<'core' | 'deliveries'>) => {
    const { name, core, deliveries } = worlds;
    const catalogue = catalogueOf(worlds);
    taxClassRepositoryContract(name, catalogue);
    categoryRepositoryContract(name, catalogue);
    productRepositoryContract(name, catalogue);
    collectionRepositoryContract(name, catalogue);
    productReaderContract(name, catalogue);
    collectionReaderContract(name, catalogue);
    productExporterContract(name, core);
    productImportLogContract(name, deliveries);
    bulkProductRepositoryContract(name, core);
    bulkVariantRepositoryContract(name, catalogue);
    variantReaderContract(name, catalogue);
    warehouseReaderContract(name, catalogue);
    warehouseRepositoryContract(name, catalogue);
  },
  events: (worlds: Worlds<'core' | 'deliveries' | 'feedSignal'>) => {
    const { name, core, deliveries } = worlds;
    eventRepositoryContract(name, core);
    eventFeedContract(name, deliveries);
    promised(worlds, 'wakes', 'FeedSignal', worlds.feedSignal, feedSignalContract);
    locatorContract(name, deliveries);
  },
  deliveries: ({ name, deliveries, identity }: Worlds<'deliveries' | 'identity'>) => {
    subscriptionChangesContract(name, deliveries, identity);
    deliveryRepositoryContract(name, deliveries);
    deliveryLogContract(name, deliveries);
    redeliveryRepositoryContract(name, deliveries);
    backlogContract(name, deliveries);
    appLifeContract(name, identity);
  },
  media: ({ name, deliveries, mediaFiles, mediaImports }: Worlds<'deliveries' | 'mediaFiles' | 'mediaImports'>) => {
    mediaFileRepositoryContract(name, mediaFiles);
    mediaImportRepositoryContract(name, mediaImports);
    mediaImportLogContract(name, deliveries);
  },
  insight: ({ name, deliveries, identity }: Worlds<'deliveries' | 'identity'>) => {
    auditLogContract(name, identity);
    requestLogContract(name, deliveries);
    figuresContract(name, deliveries);
    finderContract(name, deliveries);
    incidentsContract(name, deliveries);
    incidentNoticesContract(name, deliveries);
    incidentSignalsContract(name, deliveries);
    processesContract(name, deliveries);
    invariantsContract(name, deliveries);
    repairsContract(name, deliveries);
  },
  work: (worlds: Worlds<'leases' | 'messages'>) => {
    promised(worlds, 'many_nodes', 'WorkLeases', worlds.leases, workLeaseContract);
    promised(worlds, 'many_nodes', 'NodeMessages', worlds.messages, nodeMessagesContract);
  },
  rules: (worlds: Worlds<'rules' | 'durable'>) => {
    storageRulesContract(worlds);
  },
} satisfies Readonly<Record<string, (worlds: StorageWorlds) => void>>;

/** Every suite that a storage adapter passes. */
export const storageContracts = (worlds: StorageWorlds): void => {
  for (const room of Object.values(ROOMS)) room(worlds);
};
