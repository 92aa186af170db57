import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { chooseAccount } from '../../src/adapters/embedded/account.ts';
import { initialise, unfinishedOf, urlOf, openSocketDirectory } from '../../src/adapters/embedded/postgres.ts';
import { launch } from '../../src/adapters/embedded/server-process.ts';
import { openStandby, type Standby } from '../campaigns/faults/environment/standby.ts';
import { queryOn } from './query-on.ts';

export interface OtherPostgres {
  /** Address of an empty database. */
  readonly url: string;
  readonly pid: () => number;
  /** All that it has logged. */
  readonly log: () => string;
  /** Ends it: by SIGQUIT at once, as a crash does. */
  end(signal: 'SIGINT' | 'SIGQUIT'): Promise<void>;
  /** Starts it again. Resolves once it accepts connections. */
  start(): Promise<void>;
  /** Starts a standby of it with a new cluster in the folder, at this port of loopback. Its commits wait for the standby from then on. */
  follow(folder: string, port: number): Promise<Standby>;
}

const reached = (socket: string, port: number | undefined, database: string): string =>
  port === undefined ? urlOf(socket, database) : `postgresql://tenon@127.0.0.1:${String(port)}/${database}?sslmode=disable`;

/**
 * Starts the PostgreSQL whose binaries are in the folder, with a new cluster. It has a socket only, unless it gets a port
 * of loopback.
 */
export const startOtherPostgres = async (
  binaries: string,
  folder: string,
  port?: number,
  more: Readonly<Record<string, string>> = {},
): Promise<OtherPostgres> => {
  await mkdir(folder);
  const cluster = join(folder, 'postgres');
  const unfinished = await unfinishedOf(cluster);
  const binary = join(binaries, 'postgres');
  const account = await chooseAccount(cluster, unfinished, binary);
  await account.own(folder);
  await initialise(join(binaries, 'initdb'), unfinished, cluster, account);
  const socket = await openSocketDirectory(cluster, account);
  const listens = port === undefined ? { listen_addresses: '' } : { listen_addresses: '127.0.0.1', port: String(port) };
  const settings = { ...listens, unix_socket_directories: socket, fsync: 'off', timezone: 'UTC', ...more };
  let logged = '';
  const start = async () => {
    const server = await launch(binary, cluster, account, settings);
    server.child.stderr?.on('data', (text: string) => (logged += text));
    return server;
  };
  let running = await start();
  await queryOn(reached(socket, port, 'postgres'), 'CREATE DATABASE tenon');
  return {
    url: reached(socket, port, 'tenon'),
    pid: () => running.child.pid ?? 0,
    log: () => logged,
    end: async (signal) => {
      running.child.kill(signal);
      await running.exited;
    },
    start: async () => {
      running = await start();
    },
    follow: (to, at) =>
      openStandby({
        url: reached(socket, port, 'tenon'),
        socket,
        from: folder,
        to,
        launch: async () => {
          const copy = join(to, 'postgres');
          const standby = await launch(binary, copy, account, {
            ...settings,
            port: String(at),
            unix_socket_directories: await openSocketDirectory(copy, account),
            primary_conninfo: `host=${socket} port=${String(port)} user=tenon`,
          });
          const stop = async (): Promise<void> => {
            standby.child.kill('SIGQUIT');
            await standby.exited;
          };
          return { url: reached(socket, at, 'tenon'), pid: standby.child.pid ?? 0, stop };
        },
      }),
  };
};
