import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { StartFailure } from '../wiring/start-failure.ts';
import { birthOf, isAlive } from './processes.ts';

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
 * Makes this process the only holder of the data directory, by a file that names it; a dead holder's file is replaced.
 * Returns what gives the directory back. Throws a StartFailure that names the pid when another process lives in it.
 */
export const holdDirectory = async (dataDir: string): Promise<() => Promise<void>> => {
  const path = join(dataDir, 'tenon.lock');
  const own = `${path}.${randomUUID()}`;
  await writeFile(own, JSON.stringify({ pid: process.pid, birth: await birthOf(process.pid) }), { flag: 'wx' });
  try {
    for (;;) {
      // A link, unlike an open with O_EXCL, shows the file to others only with its content.
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
          `The data directory ${dataDir} is in use by another Tenon (pid ${String(holder.pid)}): stop it, or set another DATA_DIR`,
        );
      }
      await removeStale(path, holder);
    }
  } finally {
    await rm(own, { force: true });
  }
};

/** Two may clear one dead holder's file away at once: who took a newer file by that puts it back. */
const removeStale = async (path: string, stale: Holder | undefined): Promise<void> => {
  const aside = `${path}.${randomUUID()}`;
  await rename(path, aside).catch(() => undefined);
  const moved = await read(aside);
  if (moved !== undefined && (moved.pid !== stale?.pid || moved.birth !== stale.birth)) {
    await link(aside, path).catch(() => undefined);
  }
  await rm(aside, { force: true });
};
