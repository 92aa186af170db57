import type { StorageAdapter } from '../storage/storage.ts';
import { recordBackup } from './archive/last-backup.ts';
import { beginImport, beginRestore } from './archive/load.ts';
import { openSnapshot } from './archive/snapshot.ts';
import { examine } from './doctor/examine.ts';
import { openShards } from './shards.ts';
import { openStorage, openTool } from './storage.ts';

export const postgresqlAdapter: StorageAdapter = {
  open: openStorage,
  openTool,
  openShards,
  examine,
  openSnapshot,
  recordBackup,
  beginRestore,
  beginImport,
};
