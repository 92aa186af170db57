import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';

import { StartFailure } from '../startup/start-failure.ts';
import { startEmbeddedPostgres, urlOf } from './postgres.ts';
import { servesCluster } from '../startup/processes.ts';
import { codeOf, messageOf } from '../../domain/values/error.ts';

export interface ReachedDatabase {
  readonly url: string;
  stop(): Promise<void>;
}

export interface ReachOptions {
  readonly dataDir: string;
  /** True where a database is created in a folder without one. */
  readonly mayCreate: boolean;
  readonly onProgress?: (message: string) => void;
}

/** PostgreSQL's own file: its process, its folder, its start, its port and the folder of its socket. */
const readPidFile = async (cluster: string): Promise<string[]> => {
  try {
    return (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw new StartFailure(`The database in ${cluster} cannot be reached: ${messageOf(error)}.`, {
      cause: error,
    });
  }
};

/** The address of the database that a running server has in the folder; null when none runs. */
const runningIn = async (cluster: string): Promise<string | null> => {
  const [pid = '', , , , socket = ''] = await readPidFile(cluster);
  return socket !== '' && (await servesCluster(Number(pid), cluster)) ? urlOf(socket, 'tenon') : null;
};

const hasCluster = (cluster: string): Promise<boolean> =>
  readFile(join(cluster, 'PG_VERSION')).then(
    () => true,
    (error: unknown) => codeOf(error) !== 'ENOENT',
  );

/**
 * The embedded database: that of the server that runs on this machine, or else one that is started
 * for the caller. Throws a StartFailure when there is none and it may not be created.
 */
export const reachEmbeddedPostgres = async ({ dataDir, mayCreate, onProgress }: ReachOptions): Promise<ReachedDatabase> => {
  const cluster = join(await realpath(dataDir).catch(() => dataDir), 'postgres');
  if (await hasCluster(cluster)) {
    const url = await runningIn(cluster);
    if (url !== null) return { url, stop: () => Promise.resolve() };
  } else if (!mayCreate) {
    throw new StartFailure(`There is no database in ${dataDir}. Set DATA_DIR to the folder of the server, or set DATABASE_URL.`);
  }
  return startEmbeddedPostgres({ dataDir, ...(onProgress && { onProgress }) });
};
