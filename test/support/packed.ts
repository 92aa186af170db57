import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, chmod, readdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

import { root } from '../architecture/source.ts';

/** Content of a clone after `npm ci` and no more, so that an earlier build does not help. */
const OTHERS = ['node_modules', '.git', 'dist', 'data'];

/** npm, in this folder. Throws with what it wrote when it fails. */
export const npm = async (cwd: string, ...args: readonly string[]): Promise<string> =>
  (await promisify(execFile)('npm', [...args, '--prefer-offline', '--no-audit', '--no-fund'], { cwd })).stdout;

/**
 * Checks that npm can install anything. CI must be able to, so that an unreachable registry fails
 * the tests there.
 */
export const registryAvailable = async (): Promise<boolean> => {
  if (process.env['CI'] === 'true') return true;
  const folder = await mkdtemp(join(tmpdir(), 'tenon-registry-'));
  return npm(folder, 'view', 'express', 'name').then(
    () => true,
    () => false,
  );
};

/**
 * `npm pack` in a copy of the checkout, and `npm install` of the tarball in an empty folder below
 * this one. Returns that folder. An ordinary user may read it: as root, the embedded PostgreSQL
 * runs as one.
 */
export const installPackage = async (folder: string): Promise<string> => {
  const clone = join(folder, 'clone');
  const installed = join(folder, 'installed');
  await Promise.all([mkdir(clone), mkdir(installed), chmod(folder, 0o755)]);
  const names = (await readdir(root)).filter((name) => !OTHERS.includes(name));
  await Promise.all(names.map((name) => cp(join(root, name), join(clone, name), { recursive: true })));
  await symlink(join(root, 'node_modules'), join(clone, 'node_modules'));
  const tarball = (await npm(clone, 'pack', '--silent', '--pack-destination', folder)).trim();
  await npm(installed, 'install', join(folder, basename(tarball)));
  return installed;
};

/** Installs the binary of this major version of Node.js below the folder. Returns its path. */
export const installNode = async (folder: string, major: string): Promise<string> => {
  const name = `node-${process.platform}-${process.arch}`;
  const home = join(folder, `node-${major}`);
  await mkdir(home);
  await npm(home, 'install', '--ignore-scripts', `${name}@${major}`);
  return join(home, 'node_modules', name, 'bin/node');
};
