import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { StartFailure } from '../startup/start-failure.ts';
import { birthOf, isAlive } from '../startup/processes.ts';

interface Holder {
  readonly pid: number;
  readonly birth: string;
}

const read = async (path: string): Promise<Holder | undefined> => {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
};

const lives = async ({ pid, birth }: Holder): Promise<boolean> => (await isAlive(pid)) && (await birthOf(pid)) === birth;

/**
 * Makes this process the only owner of the data directory, by a file that names it. The file of a
 * dead owner is replaced. Returns a function that releases the directory. Throws a StartFailure
 * with the pid when another process uses it.
 */
export const holdDirectory = async (dataDir: string): Promise<() => Promise<void>> => {
  const path = join(dataDir, 'tenon.lock');
  const own = `${path}.${randomUUID()}`;
  await writeFile(own, JSON.stringify({ pid: process.pid, birth: await birthOf(process.pid) }), { flag: 'wx' });
  try {
    for (;;) {
      // Other processes see a link only with its content, unlike a file opened with O_EXCL.
      const taken = await link(own, path).then(
        () => false,
        (error: unknown) => {
          if ((error as NodeJS.ErrnoException).code === 'EEXIST') return true;
          throw error;
        },
      );
      if (!taken) return () => rm(path, { force: true });
      const holder = await read(path);
      if (holder !== undefined && (await lives(holder))) {
        throw new StartFailure(
          `Another Tenon (pid ${holder.pid}) uses the data directory ${dataDir}. Stop it, or set another DATA_DIR.`,
        );
      }
      await removeStale(path, holder);
    }
  } finally {
    await rm(own, { force: true });
  }
};

/**
 * Two processes may remove the file of one dead owner at once. The one that removed a newer file
 * restores it.
 */
const removeStale = async (path: string, stale: Holder | undefined): Promise<void> => {
  const aside = `${path}.${randomUUID()}`;
  await rename(path, aside).catch(() => undefined);
  const moved = await read(aside);
  if (moved !== undefined && (moved.pid !== stale?.pid || moved.birth !== stale.birth)) {
    await link(aside, path).catch(() => undefined);
  }
  await rm(aside, { force: true });
};
