import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

import { startEmbeddedPostgres } from '../../src/adapters/embedded/postgres.ts';
import { openDatabase } from '../../src/adapters/prisma/database.ts';
import { migrate } from '../../src/adapters/prisma/migrate.ts';
import { built } from './built.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of the migrated database that each test's own is copied from. */
    templateUrl: string;
    /** The checkout as JavaScript: what servers are started from. */
    built: string;
    /** Where servers keep media files that have no folder of their own. */
    mediaDirectory: string;
  }
}

/** One PostgreSQL for the whole run, with a migrated database to copy. What it holds is thrown away, so nothing waits for the disk. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tenon-test-'));
  const server = await startEmbeddedPostgres({
    dataDir,
    settings: { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' },
  });
  const database = openDatabase({ url: server.url });
  await migrate(database);
  await database.close();
  project.provide('templateUrl', server.url);
  project.provide('built', built());
  project.provide('mediaDirectory', join(dataDir, 'media'));
  return async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
