import type { StorageWorlds } from '../storage-contracts.ts';
import { memoryWorld } from './core.ts';
import { memoryCustomDataWorld } from './custom-data.ts';
import { memoryDeliveryWorld } from './delivery.ts';
import { memorySignalWorld } from './feed-signal.ts';
import { memoryIdentityWorld } from './identity.ts';
import { memoryMediaFileWorld } from './media-files.ts';
import { memoryMediaImportWorld } from './media-imports.ts';
import { memoryMessagesWorld } from './node-messages.ts';
import { memoryRulesWorld } from './rules.ts';
import { memoryLeaseWorld } from './work-lease.ts';

export const memoryWorlds: StorageWorlds = {
  name: 'memory',
  promises: new Set(['many_nodes', 'wakes']),
  rules: () => memoryRulesWorld(),
  core: memoryWorld,
  identity: memoryIdentityWorld,
  customData: memoryCustomDataWorld,
  deliveries: memoryDeliveryWorld,
  mediaFiles: memoryMediaFileWorld,
  mediaImports: memoryMediaImportWorld,
  feedSignal: memorySignalWorld,
  leases: memoryLeaseWorld,
  messages: memoryMessagesWorld,
};
