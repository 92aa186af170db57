import { once } from 'node:events';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { StartFailure } from '../startup/start-failure.ts';
import type { Account } from './account.ts';
import { servesCluster, waitForEnd } from '../startup/processes.ts';
import { tailOf } from './server-process.ts';

export const unfinishedOf = async (cluster: string): Promise<string> => {
  const path = `${cluster}.unfinished`;
  await rm(path, { recursive: true, force: true });
  await mkdir(path, { mode: 0o700 });
  return path;
};

/** Created beside its place and renamed, so that a kill never leaves half a cluster. */
export const initialise = async (initdb: string, unfinished: string, cluster: string, account: Account): Promise<void> => {
  const args = ['-D', unfinished, '-U', 'tenon', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-instructions'];
  const child = account.spawn(initdb, args, ['ignore', 'pipe', 'pipe']);
  const tail = tailOf(child);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) {
    const said = tail();
    if (said.includes('No space left on device')) throw new StartFailure(`There is no space left for a database in ${cluster}.`);
    throw new StartFailure(`The embedded PostgreSQL could not be initialised in ${cluster}: ${said}`);
  }
  await rename(unfinished, cluster);
};

/**
 * Stops the server that a killed Tenon left in the cluster. The caller has the lock of the data
 * directory.
 */
export const stopOrphan = async (cluster: string, onProgress?: (message: string) => void): Promise<void> => {
  const pid = Number((await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0]);
  if (!Number.isInteger(pid) || pid <= 1 || !(await servesCluster(pid, cluster))) return;
  onProgress?.(`Stopping the embedded PostgreSQL (pid ${String(pid)}) that an earlier run left behind`);
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    process.kill(pid, signal);
    if (await waitForEnd(pid, 15_000)) return;
  }
  throw new StartFailure(
    `The embedded PostgreSQL of an earlier run (pid ${pid}) does not stop. Stop it, then start Tenon again.`,
  );
};
