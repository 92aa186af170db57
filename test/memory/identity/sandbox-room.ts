import { MAX_SANDBOX_ENTRIES, MAX_SANDBOX_IMAGES } from '../../../src/domain/identity/sandbox.ts';
import type { SandboxRoom } from '../../../src/domain/ports/identity/sandbox-room.ts';
import { importsOf } from '../media/media-import-tables.ts';
import { mediaFilesOf } from '../media/media-file-repository.ts';
import type { TransactionLocks } from '../locks.ts';
import { table, type MemoryState } from '../state.ts';
import { storesOf } from './identity-tables.ts';

const OPEN: ReadonlySet<string> = new Set(['Pending', 'Downloading']);

export const sandboxRoom = (state: MemoryState, locks: TransactionLocks): SandboxRoom => {
  const isLockedSandbox = async (storeId: string): Promise<boolean> => {
    if ((storesOf(state).get(storeId)?.sandboxAppId ?? null) === null) return false;
    await locks.take(`sandbox ${storeId}`);
    return true;
  };
  const of = <Row extends { readonly storeId: string }>(rows: ReadonlyMap<string, Row>, storeId: string): Row[] =>
    [...rows.values()].filter((row) => row.storeId === storeId);
  return {
    forEntries: async (storeId) => {
      if (!(await isLockedSandbox(storeId))) return null;
      return MAX_SANDBOX_ENTRIES - of(table<{ readonly storeId: string }>(state, 'metaobject_entries'), storeId).length;
    },
    forImages: async (storeId) => {
      if (!(await isLockedSandbox(storeId))) return null;
      const open = of(importsOf(state), storeId).flatMap(({ items }) => items.filter(({ status }) => OPEN.has(status)));
      return MAX_SANDBOX_IMAGES - of(mediaFilesOf(state), storeId).length - open.length;
    },
  };
};
