import { randomUUID } from 'node:crypto';
import { open, readdir, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

import { openDataDirectory } from '../wiring/data-directory.ts';

/** No fetch and what follows it takes so long: its process was killed. */
const STALE_MS = 3_600_000;

export interface IncomingFiles {
  /** A new file. What an earlier process left of the same name goes, and what is stale of any. */
  create(name: string): Promise<{ readonly path: string; readonly handle: FileHandle }>;
  /** Again is no error. */
  remove(path: string): Promise<void>;
}

const isStale = async (path: string, now: number): Promise<boolean> => {
  const found = await stat(path).catch(() => null);
  return found !== null && now - found.mtimeMs > STALE_MS;
};

/** Files on their way into the storage, in a folder of their own, which is made when it is needed. */
export const incomingFiles = (directory: string): IncomingFiles => {
  const remove = (path: string) => rm(path, { force: true });
  return {
    create: async (name) => {
      const folder = await openDataDirectory(directory);
      const earlier = await readdir(folder);
      // Never the same path twice: a process that was stopped for a while, and goes on, has no other's file under its hands.
      const path = join(folder, `${name}.${randomUUID()}`);
      const handle = await open(path, 'wx');
      try {
        // By the clock that the files' times are of: a process whose own is an hour ahead would take away what others fetch.
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
