import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface Sandbox {
  readonly sharpUrl: string;
  /**
   * Flags of node that let the program read these files and the code it needs, and nothing else.
   */
  flags(readable: readonly string[]): string[];
}

/** The packages of sharp, beside it in its node_modules. */
const PACKAGES = ['sharp', '@img', 'detect-libc', 'semver'];

/** In Node 20 the permission model is experimental. */
const PERMISSION = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';

/**
 * Node's permission model for a program that uses sharp. It may read only its own code, sharp and
 * the listed files. It may not write files or start child processes or threads. Native code
 * (libvips) is outside this model: what a hostile image does there is limited by the process, its
 * empty environment and the one loader that is enabled.
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
