import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';

import type { MediaStorage } from '../../../domain/ports/media-storage.ts';

export interface MemoryMediaStorage extends MediaStorage {
  /** The bytes of each file, by its key. */
  readonly files: Map<string, Uint8Array>;
}

/** Keeps the files as long as it lives itself. `readLocal` is the disk unless told. */
export const createMediaStorage = (readLocal: (path: string) => Promise<Uint8Array> = readFile): MemoryMediaStorage => {
  const files = new Map<string, Uint8Array>();
  return {
    files,
    put: async (key, path) => void files.set(key, await readLocal(path)),
    size: async (key) => files.get(key)?.length ?? null,
    read: async (key, range) => {
      const whole = files.get(key);
      if (whole === undefined) return null;
      const bytes = range ? whole.subarray(range.start, range.end + 1) : whole;
      return { sizeBytes: whole.length, bytes: Readable.from([bytes]) };
    },
    remove: async (key) => void files.delete(key),
    close: async () => undefined,
  };
};
