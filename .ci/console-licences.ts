import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * Writes the licences of the packages that are compiled into the console. They ask that their text
 * goes along with every copy, and the console comes without node_modules.
 */
const root = fileURLToPath(new URL('../', import.meta.url));

const nameOf = (path: string): string[] =>
  [...path.matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)/g)].slice(-1).map(([, name = '']) => name);

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['console/main.tsx'],
  outdir: 'console',
  write: false,
  metafile: true,
  bundle: true,
  minify: true,
  splitting: true,
  format: 'esm',
  jsx: 'automatic',
});
const licenceOf = (name: string): string => {
  const folder = join(root, 'node_modules', name);
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(?:\.(?:md|txt))?$/i.test(entry));
  if (file === undefined) throw new Error(`${name} has no licence file`);
  return readFileSync(join(folder, file), 'utf8').trim();
};

const names = new Set(Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs).flatMap(nameOf)));
// Icons of Lucide are copied into the console.
const ofIcons = readFileSync(join(root, 'console/icons/LICENSE'), 'utf8').trim();
const texts = [...[...names].sort().map((name) => [name, licenceOf(name)]), ['Lucide', ofIcons]].map(
  ([name, text]) => `${name}\n\n${text}\n`,
);

const file = process.argv[2];
if (file === undefined) throw new Error('Usage: tsx .ci/console-licences.ts <file>');
writeFileSync(file, texts.join(`\n${'-'.repeat(80)}\n\n`));
