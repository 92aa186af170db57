import type { StorageAdapter } from '../storage/storage.ts';
import { recordBackup } from './archive/last-backup.ts';
import { beginImport, beginRestore } from './archive/load.ts';
import { openSnapshot } from './archive/snapshot.ts';
import { examine } from './doctor/examine.ts';
import { openShards } from './shards.ts';
import { openStorage, openTool } from './storage.ts';

/** PostgreSQL. */
export const postgresql: StorageAdapter = {
  schemes: ['postgresql:', 'postgres:'],
  promises: new Set(['durable', 'many_nodes', 'job_queue', 'wakes']),
  open: openStorage,
  openTool,
  openShards,
  examine,
  openSnapshot,
  recordBackup,
  beginRestore,
  beginImport,
};
