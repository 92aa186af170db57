import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

import { build } from './built.ts';
import { citusAvailable } from './citus-available.ts';
import { makeTemplate, startCitus } from './citus.ts';

/**
 * A Citus cluster for the whole run, with a migrated database to copy: a coordinator and two workers. A database is copied on
 * each of them; Citus knows the nodes by their addresses, and uses on each the database of the same name.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!citusAvailable) {
    console.warn('SKIPPED: the tests on Citus. docs/citus.md says how to install it for PostgreSQL 15.');
    return () => Promise.resolve();
  }
  const building = build();
  const folder = await mkdtemp(join(tmpdir(), 'tenon-citus-'));
  const citus = await startCitus(join(folder, 'nodes'));
  await makeTemplate(citus);
  project.provide('templateUrl', citus.coordinator.url);
  project.provide('serverUrls', [...citus.urls]);
  project.provide('built', await building);
  project.provide('mediaDirectory', join(folder, 'media'));
  return async () => {
    await citus.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
