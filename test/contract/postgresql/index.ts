import { postgresql } from '../../../src/adapters/prisma/engine.ts';
import type { StorageWorlds } from '../storage-contracts.ts';
import { postgresqlWorld } from './core.ts';
import { postgresqlCustomDataWorld } from './custom-data.ts';
import { postgresqlDeliveryWorld } from './delivery.ts';
import { postgresqlSignalWorld } from './feed-signal.ts';
import { postgresqlIdentityWorld } from './identity.ts';
import { postgresqlMediaFileWorld } from './media-files.ts';
import { postgresqlMediaImportWorld } from './media-imports.ts';
import { postgresqlMessagesWorld } from './node-messages.ts';
import { postgresqlCrashWorld, postgresqlRulesWorld } from './rules.ts';
import { postgresqlLeaseWorld } from './work-lease.ts';

export const postgresqlWorlds: StorageWorlds = {
  name: 'PostgreSQL',
  promises: postgresql.promises,
  rules: postgresqlRulesWorld,
  durable: postgresqlCrashWorld,
  core: postgresqlWorld,
  identity: postgresqlIdentityWorld,
  customData: postgresqlCustomDataWorld,
  deliveries: postgresqlDeliveryWorld,
  mediaFiles: postgresqlMediaFileWorld,
  mediaImports: postgresqlMediaImportWorld,
  feedSignal: postgresqlSignalWorld,
  leases: postgresqlLeaseWorld,
  messages: postgresqlMessagesWorld,
};
