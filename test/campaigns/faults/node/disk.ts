import { writeSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { sep } from 'node:path';

import type { Ports } from '../../../../src/domain/ports/index.ts';
import { LANDED_FD } from './commands.ts';

const { open } = fs;
let full: string | null = null;

/**
 * From now on there is no room below that folder; null: there is room again. A file can still be
 * made there, as on a disk that is full, and what is written to it meets the ENOSPC of /dev/full,
 * which needs no mount and so no root.
 */
export const fillDisk = (folder: string | null): void => {
  full = folder;
};

const openOnDisk: typeof open = async (path, flags, mode) => {
  const file = await open(path, flags, mode);
  if (full === null || flags === 'r' || typeof path !== 'string' || !path.startsWith(full + sep)) return file;
  await file.close();
  return open('/dev/full', 'w');
};

fs.open = openOnDisk;
syncBuiltinESMExports();

/** True for an error about a full disk, by its code or its words. */
export const isOfFullDisk = (error: unknown): boolean => error instanceof Error && error.message.includes('ENOSPC');

const telling =
  <Args extends unknown[], T>(method: (...args: Args) => Promise<T>) =>
  async (...args: Args): Promise<T> => {
    try {
      return await method(...args);
    } catch (error) {
      if (isOfFullDisk(error)) writeSync(LANDED_FD, 'full disk\n');
      throw error;
    }
  };

/** Ports that tell, as a point does that is reached, when the service has met its full disk. */
export const tellingOfFullDisk = (ports: Ports): Ports => ({
  ...ports,
  mediaSource: { ...ports.mediaSource, fetch: telling(ports.mediaSource.fetch) },
  mediaStorage: { ...ports.mediaStorage, put: telling(ports.mediaStorage.put) },
});
