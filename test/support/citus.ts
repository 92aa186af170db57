import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

import { freePort } from './free-port.ts';
import { startOtherPostgres, type OtherPostgres } from './other-postgres.ts';

const BINARIES = '/usr/lib/postgresql/15/bin';

/** Debian has no package of it. */
export const citusAvailable =
  existsSync(join(BINARIES, 'postgres')) && existsSync('/usr/share/postgresql/15/extension/citus.control');
if (!citusAvailable) console.warn('SKIPPED: the tests on Citus. docs/citus.md says how to install it for PostgreSQL 15.');

interface CitusNode extends OtherPostgres {
  readonly port: number;
}

export interface Citus {
  /** The coordinator first. */
  readonly nodes: readonly CitusNode[];
  stop(): Promise<void>;
}

const WORKERS = 2;

const SETTINGS = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_prepared_transactions: '200',
  max_connections: '400',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  'citus.shard_count': '8',
  // A transaction of two phases that lost its coordinator ends within this time.
  'citus.recover_2pc_interval': '1s',
};

const startNode = async (folder: string): Promise<CitusNode> => {
  const port = await freePort();
  return { ...(await startOtherPostgres(BINARIES, folder, port, SETTINGS)), port };
};

export const queryOn = async (url: string, ...texts: readonly string[]): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const text of texts) await client.query(text);
  } finally {
    await client.end();
  }
};

/** A coordinator and two workers, with the extension in an empty database. */
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
    nodes,
    stop: async () => {
      for (const node of nodes) await node.stop();
    },
  };
};
