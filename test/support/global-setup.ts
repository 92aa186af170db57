import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

import { startEmbeddedPostgres } from '../../src/adapters/embedded/postgres.ts';
import { openDatabase } from '../../src/adapters/prisma/database.ts';
import { migrate } from '../../src/adapters/prisma/migrate.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of the migrated database that each test's own is copied from. */
    templateUrl: string;
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
  return async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
