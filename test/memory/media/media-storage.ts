import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';

import { StorageUnavailable, type MediaStorage } from '../../../src/domain/ports/media/media-storage.ts';

export interface MemoryMediaStorage extends MediaStorage {
  /** The bytes of each file, by its key. */
  readonly files: Map<string, Uint8Array>;
  disable(): void;
}

export const createMediaStorage = (readLocal: (path: string) => Promise<Uint8Array> = readFile): MemoryMediaStorage => {
  const files = new Map<string, Uint8Array>();
  let isUsable = true;
  const use = (): void => {
    if (!isUsable) throw new StorageUnavailable('the storage was disabled');
  };
  return {
    files,
    disable: () => {
      isUsable = false;
    },
    put: async (key, path) => {
      use();
      files.set(key, await readLocal(path));
    },
    size: async (key) => files.get(key)?.length ?? null,
    read: async (key, range) => {
      const whole = files.get(key);
      if (whole === undefined) return null;
      const bytes = range ? whole.subarray(range.start, range.end + 1) : whole;
      return { sizeBytes: whole.length, bytes: Readable.from([bytes]) };
    },
    remove: async (key) => {
      use();
      files.delete(key);
    },
    close: async () => undefined,
  };
};
