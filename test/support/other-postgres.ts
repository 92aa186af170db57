import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

import { chooseAccount } from '../../src/adapters/embedded/account.ts';
import { initialise, unfinishedOf } from '../../src/adapters/embedded/cluster.ts';
import { urlOf } from '../../src/adapters/embedded/postgres.ts';
import { launch } from '../../src/adapters/embedded/server-process.ts';
import { openSocketDirectory } from '../../src/adapters/embedded/socket-directory.ts';

export interface OtherPostgres {
  /** Of an empty database. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the PostgreSQL whose binaries are in the folder, with a new cluster. */
export const startOtherPostgres = async (binaries: string, folder: string): Promise<OtherPostgres> => {
  await mkdir(folder);
  const cluster = join(folder, 'postgres');
  const unfinished = await unfinishedOf(cluster);
  const binary = join(binaries, 'postgres');
  const account = await chooseAccount(cluster, unfinished, binary);
  await account.own(folder);
  await initialise(join(binaries, 'initdb'), unfinished, cluster, account);
  const socket = await openSocketDirectory(cluster, account);
  const settings = { listen_addresses: '', unix_socket_directories: socket, fsync: 'off', timezone: 'UTC' };
  const { child, exited } = await launch(binary, cluster, account, settings);
  const client = new pg.Client({ connectionString: urlOf(socket, 'postgres') });
  await client.connect();
  await client.query('CREATE DATABASE tenon');
  await client.end();
  return {
    url: urlOf(socket, 'tenon'),
    stop: async () => {
      child.kill('SIGINT');
      await exited;
    },
  };
};
