import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

import { openDataDirectory } from '../wiring/data-directory.ts';
import { StartFailure } from '../wiring/start-failure.ts';
import { chooseAccount } from './account.ts';
import { locateBinaries } from './binaries.ts';
import { initialise, stopOrphan, unfinishedOf } from './cluster.ts';
import { holdDirectory } from './holder.ts';
import { launch } from './server-process.ts';
import { openSocketDirectory } from './socket-directory.ts';

export interface EmbeddedPostgresOptions {
  /** A folder of Tenon's own, made if it isn't there; the cluster stands in its `postgres`. */
  readonly dataDir: string;
  /** Told of each step that a person may have to wait for, as a sentence. */
  readonly onProgress?: (message: string) => void;
  /** Told when the server ends although nobody stopped it. Not given: the error is thrown and ends the process. */
  readonly onUnexpectedExit?: (error: Error) => void;
  /** Settings of the server beyond ours, e.g. `{ fsync: 'off' }` for tests. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface EmbeddedPostgres {
  /** postgresql://... of the database `tenon`, over a Unix socket. */
  readonly url: string;
  /** The server's process. */
  readonly pid: number;
  /**
   * Ends the server (sessions are cut, nothing committed is lost) and gives the data directory back. Its shutdown checkpoint may be long:
   * after so many milliseconds, 7,000 unless told, it is left out, and what it leaves out is recovered from the log at the next start.
   */
  stop(hurryAfterMs?: number): Promise<void>;
}

// Only `log` and worse: a refused statement is the caller's to report, and its text may hold what a log must not.
const SETTINGS = { listen_addresses: '', unix_socket_permissions: '0700', max_connections: '200', jit: 'off', timezone: 'UTC' };
const LOGGING = {
  logging_collector: 'off',
  log_min_messages: 'log',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
  cluster_name: 'tenon',
};

const urlOf = (directory: string, database: string): string =>
  `postgresql://tenon@localhost:5432/${database}?host=${encodeURIComponent(directory)}&sslmode=disable`;

const createDatabase = async (directory: string): Promise<void> => {
  const client = new pg.Client({ connectionString: urlOf(directory, 'postgres') });
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
  { onProgress, onUnexpectedExit, settings }: EmbeddedPostgresOptions,
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
  const all = { ...SETTINGS, ...LOGGING, unix_socket_directories: socket, ...settings };
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

/** What the file system refuses (no space left, a file of another user's) is the operator's to mend. */
const asFailure = (directory: string, error: unknown): unknown =>
  error instanceof Error && 'path' in error && String(error.path).startsWith(directory)
    ? new StartFailure(`The data directory ${directory} can't be written: ${error.message}`, { cause: error })
    : error;

/**
 * Starts the PostgreSQL that comes with the package, on a Unix socket only; makes its cluster (UTF-8, locale C), user `tenon` and database
 * `tenon` at the first start. A server that a killed Tenon left in the directory is stopped first. Throws a StartFailure, one line, where a
 * person has to do something: another Tenon holds the directory, it can't be written, the platform has no binaries.
 */
export const startEmbeddedPostgres = async (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> => {
  const directory = await openDataDirectory(options.dataDir);
  let giveBack = (): Promise<void> => Promise.resolve();
  try {
    giveBack = await holdDirectory(directory);
    const server = await start(directory, options);
    let stopped: Promise<void> | undefined;
    return { ...server, stop: (hurryAfterMs) => (stopped ??= server.stop(hurryAfterMs).finally(giveBack)) };
  } catch (error) {
    await giveBack();
    throw asFailure(directory, error);
  }
};
