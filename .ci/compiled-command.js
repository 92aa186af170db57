import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// A clone runs the command line from its sources. To compile them takes a second, so it is done once for each state of the
// sources, into a folder that git ignores.

const CLONE = fileURLToPath(new URL('..', import.meta.url));
const RECORD = 'current.json';

/** Bundled, because their many files take long to open. Every other package stays where it is. */
const BUNDLED = /^(?:@stricli\/core|zod|string-width|eventsource-parser)(?:\/|$)/;

/** A file in this state; none for a file that does not exist. */
const stampOf = (path) => {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? '' : `${String(found.mtimeMs)} ${String(found.size)}`;
};

const recordOf = (cache) => {
  const path = join(cache, RECORD);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;
};

/** The folder that was compiled from the sources as they are now, or null. */
const current = (root, cache) => {
  const record = recordOf(cache);
  const isSame = record !== null && Object.entries(record.stamps).every(([path, stamp]) => stampOf(join(root, path)) === stamp);
  return isSame && existsSync(join(cache, record.folder, 'main.js')) ? record.folder : null;
};

/** Sources find their files by their own address, also when they are compiled elsewhere. */
const ownAddress = {
  name: 'own-address',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path, importer }) =>
      importer === '' || BUNDLED.test(path) || importer.includes('/node_modules/') ? undefined : { path, external: true },
    );
    build.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta.url')) return undefined;
      return { loader: 'ts', contents: text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)) };
    });
  },
};

const compile = async (root, cache) => {
  const { build } = await import('esbuild');
  const begun = Date.now();
  const folder = `${String(begun)}-${String(process.pid)}`;
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/main.ts'],
    outdir: join(cache, folder),
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    metafile: true,
    logLevel: 'silent',
    plugins: [ownAddress],
  });
  const inputs = Object.keys(metafile.inputs).filter((path) => !path.includes('node_modules/'));
  const stamps = Object.fromEntries(
    [...inputs, 'package-lock.json'].map((path) => {
      const stamp = stampOf(join(root, path));
      // A file that changed meanwhile may not be in it: compile it again the next time.
      return [path, Number.parseFloat(stamp) >= begun ? 'changed' : stamp];
    }),
  );
  const draft = join(cache, `${folder}.json`);
  writeFileSync(draft, JSON.stringify({ folder, stamps }));
  const before = recordOf(cache)?.folder;
  renameSync(draft, join(cache, RECORD));
  // A command that runs now may still load a part of the one before.
  for (const name of readdirSync(cache)) {
    if (![folder, before, RECORD].includes(name)) rmSync(join(cache, name), { recursive: true, force: true });
  }
  return folder;
};

/** The address of the compiled command, or null where it cannot be compiled: the sources then say why. */
export const compiledCommand = async (root = CLONE) => {
  const cache = join(root, 'node_modules/.cache/tenon-command');
  try {
    mkdirSync(cache, { recursive: true });
    return pathToFileURL(join(cache, current(root, cache) ?? (await compile(root, cache)), 'main.js')).href;
  } catch {
    return null;
  }
};
