import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';

import type { Database } from '../../src/adapters/prisma/connection/database.ts';
import {
  APPLIED,
  FOLDER as MIGRATIONS,
  pendingOf,
  readMigrations,
  type Migration,
} from '../../src/adapters/prisma/connection/migrations.ts';
import { root } from '../architecture/source.ts';

/** Each release has a folder: its database content, as `.ci/release-fixture.ts` writes it. */
export const FOLDER = join(root, 'test/fixtures/releases');

export interface Release {
  readonly version: string;
  /** The version as the history has it. */
  readonly commit: string;
  /** The rows of each table. */
  readonly rows: Readonly<Record<string, number>>;
}

export const fileOf = (version: string, name: string): string => join(FOLDER, version, name);

export const RELEASES: readonly Release[] = readdirSync(FOLDER).map(
  (version) => JSON.parse(readFileSync(fileOf(version, 'fixture.json'), 'utf8')) as Release,
);

/** A shallow clone does not have the commit of a release. */
export const hasCommit = ({ commit }: Pick<Release, 'commit'>): boolean =>
  spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root }).status === 0;

/** Files that a release looks for when it starts, in packages that the present one does not have. */
const FORMER_FILES = ['swagger-ui-dist/swagger-ui.css'];

/** The source of the version in a new folder, with the packages of the present one. */
export const checkOut = async ({ commit }: Pick<Release, 'commit'>): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-release-'));
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const file of FORMER_FILES) {
    const path = join(folder, 'src/node_modules', file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, '');
  }
  execFileSync(process.execPath, ['node_modules/prisma/build/index.js', 'generate'], { cwd: folder, stdio: 'ignore' });
  return folder;
};

/** Loads the content of the release into an empty database. */
export const load = async ({ version }: Pick<Release, 'version'>, url: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(gunzipSync(readFileSync(fileOf(version, 'database.sql.gz'))).toString('utf8'));
  } finally {
    await client.end();
  }
};

/** The migrations that a database of the release lacks, in their order. */
export const migrationsSince = async (database: Pick<Database, 'rows'>): Promise<Migration[]> =>
  pendingOf(await readMigrations(MIGRATIONS), await database.rows(APPLIED));
