import { randomUUID } from 'node:crypto';
import { open, readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

import { openDataDirectory } from '../../startup/data-directory.ts';

/** No fetch takes this long with all that follows it: its process was killed. */
const STALE_MS = 3_600_000;

export interface IncomingFiles {
  /**
   * A new file. Removes a file of the same name that an earlier process left, and all stale files.
   */
  create(name: string): Promise<{ readonly path: string; readonly handle: FileHandle }>;
  /** Removing it again is not an error. */
  remove(path: string): Promise<void>;
}

const isStale = async (path: string, now: number): Promise<boolean> => {
  const found = await stat(path).catch(() => null);
  return found !== null && now - found.mtimeMs > STALE_MS;
};

export const incomingFiles = (directory: string): IncomingFiles => {
  const remove = (path: string) => rm(path, { force: true });
  return {
    create: async (name) => {
      const folder = await openDataDirectory(directory);
      const earlier = await readdir(folder);
      // Never the same path twice: a process that was paused and continues must not find another's
      // file under its path.
      const path = join(folder, `${name}.${randomUUID()}`);
      const handle = await open(path, 'wx');
      try {
        // By the clock of the files' times: a process whose clock is an hour ahead would remove
        // files that others fetch.
        const { mtimeMs: now } = await handle.stat();
        for (const entry of earlier) {
          const other = join(folder, entry);
          if (entry.startsWith(`${name}.`) || (await isStale(other, now))) await remove(other);
        }
        return { path, handle };
      } catch (error) {
        await handle.close();
        throw error;
      }
    },
    remove,
  };
};
