import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What a program of ours runs with: see `sandboxFor`. */
export interface Sandbox {
  /** Where the program imports sharp from. */
  readonly sharpUrl: string;
  /** Flags of node by which the program may read these files and the code that it needs, and nothing else. */
  flags(readable: readonly string[]): string[];
}

/** The packages that sharp consists of, beside it in its node_modules. */
const PACKAGES = ['sharp', '@img', 'detect-libc', 'semver'];

/** Node 20 has the permission model as an experiment. */
const PERMISSION = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';

/**
 * Node's permission model for a program that uses sharp: no file to read but its own code, sharp and what is listed, none to write, no child process, no thread. Native code
 * (libvips) is not under its control: what a hostile image does there is bounded by the process, its empty environment and the one loader that is unblocked.
 */
export const sandboxFor = (code: readonly string[]): Sandbox => {
  const main = realpathSync(createRequire(import.meta.url).resolve('sharp'));
  const modules = dirname(main.slice(0, main.lastIndexOf(join('sharp', 'dist'))) + 'sharp');
  const needed = [...code.map((path) => realpathSync(path)), ...PACKAGES.map((name) => join(modules, name, '/'))];
  return {
    sharpUrl: pathToFileURL(main).href,
    flags: (readable) => [
      PERMISSION,
      '--allow-addons',
      '--no-warnings',
      ...[...needed, ...readable].map((path) => `--allow-fs-read=${path}`),
    ],
  };
};
