import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

import { openDatabase } from '../../src/adapters/prisma/connection/database.ts';
import { migrate } from '../../src/adapters/prisma/connection/migrate.ts';
import { citusAvailable, queryOn, startCitus } from './citus.ts';

/**
 * A Citus for the whole run, with a migrated database to copy: a coordinator and two workers. A database is copied on
 * each of them; Citus knows the nodes by their addresses, and uses on each the database of the same name.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!citusAvailable) return () => Promise.resolve();
  const folder = await mkdtemp(join(tmpdir(), 'tenon-citus-'));
  const { nodes, stop } = await startCitus(join(folder, 'nodes'));
  const urls = nodes.map(({ url }) => url);
  const [coordinator = ''] = urls;
  const database = openDatabase({ url: coordinator });
  await migrate(database);
  await database.close();
  // A database that is copied may have no connection, and Citus keeps one of its own to each.
  for (const url of urls)
    await queryOn(
      url.replace('/tenon?', '/postgres?'),
      'ALTER DATABASE tenon ALLOW_CONNECTIONS false',
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'tenon'`,
    );
  project.provide('templateUrl', coordinator);
  project.provide('serverUrls', urls);
  return async () => {
    await stop();
    await rm(folder, { recursive: true, force: true });
  };
}
