import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, rename, rm, chmod, lstat, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { codeOf, messageOf } from '../../domain/values/error.ts';
import { statementLimit, Watch } from '../postgres/watch.ts';
import { WatchedClient } from '../postgres/watched-client.ts';
import { openDataDirectory } from '../startup/data-directory.ts';
import { servesCluster, waitForEnd } from '../startup/processes.ts';
import { StartFailure } from '../startup/start-failure.ts';
import { closeOnSignal } from '../startup/stop-signals.ts';
import { type Account, chooseAccount } from './account.ts';
import { locateBinaries } from './binaries.ts';
import { holdDirectory } from './holder.ts';
import { tailOf, launch } from './server-process.ts';

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
const stopOrphan = async (cluster: string, onProgress?: (message: string) => void): Promise<void> => {
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

/**
 * The path of a Unix socket has at most 104 bytes on macOS. The name of the socket needs the rest.
 */
const LONGEST = 85;

/**
 * A folder for the socket of the server that only the user of the server (and root) may enter. The
 * server accepts every connection through it, so a folder that somebody else created before is
 * refused.
 */
export const openSocketDirectory = async (cluster: string, account: Account): Promise<string> => {
  const name = `tenon-${createHash('sha256').update(cluster).digest('hex').slice(0, 16)}`;
  const path =
    [join(tmpdir(), name), join('/tmp', name)].find((candidate) => Buffer.byteLength(candidate) <= LONGEST) ?? join('/tmp', name);
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') {
      const why = messageOf(error);
      throw new StartFailure(`The folder ${path} for the socket of the database cannot be created: ${why}.`, { cause: error });
    }
  }
  const found = await lstat(path);
  const ours = [account.uid, process.geteuid?.() ?? 0].includes(found.uid);
  if (!found.isDirectory() || !ours)
    throw new StartFailure(`The folder ${path} for the socket of the database belongs to another user. Remove it.`);
  await chmod(path, 0o700);
  await account.own(path);
  return path;
};

interface EmbeddedPostgresOptions {
  /** A folder for Tenon only, created if it does not exist. The cluster is in its `postgres`. */
  readonly dataDir: string;
  readonly onProgress?: (message: string) => void;
  /**
   * Called when the server ends although nobody stopped it. Without it, the error is thrown and
   * ends the process.
   */
  readonly onUnexpectedExit?: (error: Error) => void;
  /** Connections that Tenon opens at most, where these are more than usual. */
  readonly connections?: number;
  /** Additional settings of the server, for example `{ fsync: 'off' }` for tests. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface EmbeddedPostgres {
  /** postgresql://... of the database `tenon`, over a Unix socket. */
  readonly url: string;
  readonly pid: number;
  /**
   * Stops the server and releases the data directory. Sessions are cut, and nothing committed is
   * lost. Its shutdown checkpoint may take long: after `hurryAfterMs` milliseconds, 7,000 by
   * default, it is skipped, and the next start recovers from the log.
   */
  stop(hurryAfterMs?: number): Promise<void>;
}

// Only `log` and higher levels: the caller reports a refused statement, whose text may contain what
// a log must not.
const SETTINGS = { listen_addresses: '', unix_socket_permissions: '0700', jit: 'off', timezone: 'UTC' };
const USUAL_CONNECTIONS = 200;
/** For the commands, and for people who look into the database. */
const OTHER_CONNECTIONS = 20;
const LOGGING = {
  logging_collector: 'off',
  log_min_messages: 'log',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
  cluster_name: 'tenon',
};

export const urlOf = (directory: string, database: string): string =>
  `postgresql://tenon@localhost:5432/${database}?host=${encodeURIComponent(directory)}&sslmode=disable`;

/** For each statement on a server that has just started. A slow disk takes long to copy the template. */
const START_MS = 60_000;

const createDatabase = async (directory: string): Promise<void> => {
  const watch = new Watch({ limit: statementLimit(START_MS) });
  const client = new WatchedClient({ connectionString: urlOf(directory, 'postgres'), connectMs: START_MS, watch });
  await client.connect();
  try {
    const { rowCount } = await client.query(`SELECT 1 FROM pg_database WHERE datname = 'tenon'`);
    if (rowCount === 0) await client.query('CREATE DATABASE "tenon"');
  } finally {
    await client.end();
  }
};

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const start = async (
  directory: string,
  { onProgress, onUnexpectedExit, connections = 0, settings }: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> => {
  const { initdb, postgres } = await locateBinaries();
  const cluster = join(directory, 'postgres');
  const unfinished = (await exists(cluster)) ? undefined : await unfinishedOf(cluster);
  const account = await chooseAccount(cluster, unfinished ?? cluster, postgres);
  if (unfinished === undefined) {
    await stopOrphan(cluster, onProgress);
  } else {
    onProgress?.(`Making a database in ${directory} (once, about a second)`);
    await initialise(initdb, unfinished, cluster, account);
  }
  const socket = await openSocketDirectory(cluster, account);
  const max_connections = String(Math.max(USUAL_CONNECTIONS, connections + OTHER_CONNECTIONS));
  const all = { ...SETTINGS, ...LOGGING, max_connections, unix_socket_directories: socket, ...settings };
  const { child, exited, tail } = await launch(postgres, cluster, account, all);
  let stopping = false;
  void exited.then((how) => {
    if (stopping) return;
    const error = new Error(`The embedded PostgreSQL ended unexpectedly (${how}): ${tail()}`);
    if (onUnexpectedExit === undefined) throw error;
    onUnexpectedExit(error);
  });
  const stop = async (hurryAfterMs = 7_000): Promise<void> => {
    stopping = true;
    child.kill('SIGINT');
    const hurry = setTimeout(() => child.kill('SIGQUIT'), hurryAfterMs);
    await exited;
    clearTimeout(hurry);
    await rm(socket, { recursive: true, force: true });
  };
  try {
    await createDatabase(socket);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: urlOf(socket, 'tenon'), pid: child.pid ?? 0, stop };
};

/**
 * An error of the file system (no space left, a file of another user) is for the operator to fix.
 */
const asFailure = (directory: string, error: unknown): unknown =>
  error instanceof Error && 'path' in error && String(error.path).startsWith(directory)
    ? new StartFailure(`The data directory ${directory} cannot be written: ${error.message}.`, { cause: error })
    : error;

/**
 * Starts the PostgreSQL that comes with the package, on a Unix socket only. The first start creates
 * its cluster (UTF-8, locale C), the user `tenon` and the database `tenon`. A server that a killed
 * Tenon left in the directory is stopped first. Throws a StartFailure of one line when a person has
 * to act: another Tenon uses the directory, it cannot be written, or the platform has no binaries.
 */
export const startEmbeddedPostgres = async (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> => {
  const directory = await openDataDirectory(options.dataDir);
  let giveBack = (): Promise<void> => Promise.resolve();
  try {
    giveBack = await holdDirectory(directory);
    const starting = start(directory, options);
    // The server is a process of its own: without this it would outlive the program that a signal ends.
    const forget = closeOnSignal(async () => {
      const server = await starting.catch(() => null);
      await server?.stop();
      await giveBack();
    });
    const server = await starting.catch((error: unknown) => {
      forget();
      throw error;
    });
    let stopped: Promise<void> | undefined;
    // eslint-disable-next-line @typescript-eslint/no-misused-promises -- `finally` waits for it, which oxlint does not know.
    return { ...server, stop: (hurryAfterMs) => (stopped ??= server.stop(hurryAfterMs).finally(forget).finally(giveBack)) };
  } catch (error) {
    await giveBack();
    throw asFailure(directory, error);
  }
};
