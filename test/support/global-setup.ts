import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

import { openPostgresBackend } from '../../src/adapters/bullmq/backend.ts';
import { startEmbeddedPostgres } from '../../src/adapters/embedded/postgres.ts';
import { openDatabase } from '../../src/adapters/prisma/connection/database.ts';
import { migrate } from '../../src/adapters/prisma/connection/migrate.ts';
import { build } from './built.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address of the migrated database that each test's own is copied from. */
    templateUrl: string;
    /** Addresses of all servers that have a part of each database: one server, except on a Citus cluster. */
    serverUrls: string[];
    /** The checkout as JavaScript: what servers are started from. */
    built: string;
    /** Where servers keep media files that have no folder of their own. */
    mediaDirectory: string;
  }
}

const raise = (error: unknown): never => {
  throw error;
};

const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 2 ** 31;

/**
 * A folder in memory where the system has one with enough room: a database is copied there in a
 * tenth of the processor time.
 */
const databaseFolder = async (): Promise<string> => {
  const free = await statfs(MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return mkdtemp(join(free >= ENOUGH_BYTES ? MEMORY : tmpdir(), 'tenon-test-'));
};

/**
 * Starts a PostgreSQL for the whole run, with a migrated database to copy. Its content is thrown
 * away, so nothing waits for the disk.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const building = build();
  const [dataDir, mediaDirectory] = await Promise.all([databaseFolder(), mkdtemp(join(tmpdir(), 'tenon-media-'))]);
  const server = await startEmbeddedPostgres({
    dataDir,
    // Many nodes run at once, and the doctor counts them.
    settings: { max_connections: '400', fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_wal_size: '256MB' },
  });
  const database = openDatabase({ url: server.url });
  await migrate(database);
  await database.close();
  // The queue's tables are part of the copy: to make them takes longer than most tests do.
  await (await openPostgresBackend(server.url, raise)).close();
  project.provide('templateUrl', server.url);
  project.provide('serverUrls', [server.url]);
  project.provide('built', await building);
  project.provide('mediaDirectory', mediaDirectory);
  return async () => {
    await server.stop();
    for (const folder of [dataDir, mediaDirectory]) await rm(folder, { recursive: true, force: true });
  };
}
