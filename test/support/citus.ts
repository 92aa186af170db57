import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { openDatabase } from '../../src/adapters/prisma/connection/database.ts';
import { migrate } from '../../src/adapters/prisma/connection/migrate.ts';
import { CITUS_BINARIES } from './citus-available.ts';
import { freePort } from './free-port.ts';
import { named, queryOn } from './query-on.ts';
import { startOtherPostgres, type OtherPostgres } from './other-postgres.ts';

interface CitusNode extends OtherPostgres {
  readonly port: number;
}

export interface Citus {
  readonly coordinator: CitusNode;
  readonly workers: readonly CitusNode[];
  /** Addresses of all servers. */
  readonly urls: readonly string[];
  stop(): Promise<void>;
}

const WORKERS = 2;

const SETTINGS = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_prepared_transactions: '200',
  max_connections: '400',
  'citus.shard_count': '8',
  // A transaction of two phases that lost its coordinator ends within this time.
  'citus.recover_2pc_interval': '1s',
};

const startNode = async (folder: string): Promise<CitusNode> => {
  const port = await freePort();
  return { ...(await startOtherPostgres(CITUS_BINARIES, folder, port, SETTINGS)), port };
};

/** On each node, since Citus uses the database of the same name there. */
export const onEach = async ({ urls }: Pick<Citus, 'urls'>, ...texts: readonly string[]): Promise<void> => {
  for (const url of urls) await queryOn(named(url, 'postgres'), ...texts);
};

/** Migrates the database, so that others can be copied from it. */
export const makeTemplate = async (citus: Pick<Citus, 'urls' | 'coordinator'>): Promise<void> => {
  const database = openDatabase({ url: citus.coordinator.url });
  await migrate(database);
  await database.close();
  // A database that is copied may have no connection, and Citus keeps one of its own to each.
  await onEach(
    citus,
    'ALTER DATABASE tenon ALLOW_CONNECTIONS false',
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'tenon'`,
  );
};

/** A coordinator and two workers, with the extension in an empty database. What they acknowledge survives a crash of theirs. */
export const startCitus = async (folder: string): Promise<Citus> => {
  await mkdir(folder, { recursive: true });
  const nodes: CitusNode[] = [];
  for (let number = 0; number <= WORKERS; number += 1) nodes.push(await startNode(join(folder, String(number))));
  const [coordinator, ...workers] = nodes as [CitusNode, ...CitusNode[]];
  for (const { url } of nodes) await queryOn(url, 'CREATE EXTENSION citus');
  await queryOn(
    coordinator.url,
    `SELECT citus_set_coordinator_host('127.0.0.1', ${String(coordinator.port)})`,
    ...workers.map(({ port }) => `SELECT citus_add_node('127.0.0.1', ${String(port)})`),
  );
  return {
    coordinator,
    workers,
    urls: nodes.map(({ url }) => url),
    stop: async () => {
      for (const node of nodes) await node.end('SIGQUIT');
    },
  };
};
