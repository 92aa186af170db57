import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

import { StartFailure } from '../start-failure.ts';
import { chooseAccount, type Account } from './account.ts';
import { locateBinaries } from './binaries.ts';
import { holdDirectory } from './holder.ts';
import { servesCluster, waitForEnd } from './processes.ts';
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
  /** Ends the server (sessions are cut, nothing committed is lost) and gives the data directory back. */
  stop(): Promise<void>;
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

/** Keeps the last lines that a process wrote, to tell why it failed. */
const tailOf = (child: ChildProcess, onText?: (tail: string) => void): (() => string) => {
  let tail = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      tail = (tail + text).slice(-4000);
      onText?.(tail);
    });
  }
  return () => tail.trim().split('\n').slice(-5).join(' | ');
};

const unfinishedOf = async (cluster: string): Promise<string> => {
  const path = `${cluster}.unfinished`;
  await rm(path, { recursive: true, force: true });
  await mkdir(path, { mode: 0o700 });
  return path;
};

/** Made beside its place and renamed: a kill in the middle never leaves half a cluster. */
const initialise = async (initdb: string, unfinished: string, cluster: string, account: Account): Promise<void> => {
  const args = ['-D', unfinished, '-U', 'tenon', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-instructions'];
  const child = account.spawn(initdb, args, ['ignore', 'pipe', 'pipe']);
  const tail = tailOf(child);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new StartFailure(`The embedded PostgreSQL could not be initialised in ${cluster}: ${tail()}`);
  await rename(unfinished, cluster);
};

const stopOrphan = async (cluster: string, onProgress?: (message: string) => void): Promise<void> => {
  const pid = Number((await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0]);
  if (!Number.isInteger(pid) || pid <= 1 || !(await servesCluster(pid, cluster))) return;
  onProgress?.(`Stopping the embedded PostgreSQL (pid ${String(pid)}) that an earlier run left behind`);
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    process.kill(pid, signal);
    if (await waitForEnd(pid, 15_000)) return;
  }
  throw new StartFailure(
    `The embedded PostgreSQL (pid ${String(pid)}) that an earlier run left behind does not end: end it, then start again`,
  );
};

const launch = async (binary: string, cluster: string, account: Account, settings: Readonly<Record<string, string>>) => {
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = account.spawn(binary, ['-D', cluster, ...args], ['ignore', 'ignore', 'pipe']);
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => {
      resolve(error.message);
    });
    child.once('exit', (code, signal) => {
      resolve(signal ?? `status ${String(code)}`);
    });
  });
  let tail = (): string => '';
  const ready = new Promise<void>((resolve, reject) => {
    tail = tailOf(child, (text) => {
      if (text.includes('ready to accept connections')) resolve();
    });
    void exited.then((how) => {
      reject(new StartFailure(`The embedded PostgreSQL did not start (${how}): ${tail()}`));
    });
  });
  await ready;
  return { child, exited, tail };
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

const hold = async (dataDir: string): Promise<{ directory: string; giveBack: () => Promise<void> }> => {
  try {
    await mkdir(dataDir, { recursive: true });
    const directory = await realpath(dataDir);
    return { directory, giveBack: await holdDirectory(directory) };
  } catch (error) {
    if (error instanceof StartFailure) throw error;
    throw new StartFailure(
      `The data directory ${dataDir} can't be written: ${error instanceof Error ? error.message : String(error)}`,
    );
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
  const stop = async (): Promise<void> => {
    stopping = true;
    child.kill('SIGINT');
    // Its shutdown checkpoint may be long; what it then leaves out is recovered from the log at the next start.
    const hurry = setTimeout(() => child.kill('SIGQUIT'), 7_000);
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
 * Starts the PostgreSQL that comes with the package, on a Unix socket only; makes its cluster (UTF-8, locale C), user `tenon` and database
 * `tenon` at the first start. A server that a killed Tenon left in the directory is stopped first. Throws a StartFailure, one line, where a
 * person has to do something: another Tenon holds the directory, it can't be written, the platform has no binaries.
 */
export const startEmbeddedPostgres = async (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> => {
  const { directory, giveBack } = await hold(options.dataDir);
  try {
    const server = await start(directory, options);
    let stopped: Promise<void> | undefined;
    return { ...server, stop: () => (stopped ??= server.stop().finally(giveBack)) };
  } catch (error) {
    await giveBack();
    throw error;
  }
};
