import { copyFile, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { siteFiles } from '../site/site.ts';

/**
 * Writes the documentation as the server shows it into this folder: for the compiled server, which has the files of `docs`, or
 * with `--whole` for any host of static files.
 */
const folder = process.argv.at(-1);
const isWhole = process.argv.includes('--whole');
if (process.argv.length < 3 || folder === undefined || folder === '--whole') throw new Error('Usage: npm run site -- <folder>');

const files = siteFiles();
await rm(folder, { recursive: true, force: true });
for (const [name, text] of files) {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
if (isWhole) {
  await cp('docs/images', join(folder, 'docs/images'), { recursive: true });
  for (const name of ['docs/openapi.json', 'docs/openapi-admin.json']) await copyFile(name, join(folder, name));
  await copyFile('docs/openapi.json', join(folder, 'openapi.json'));
  // The output of the build is what `npm pack` prints.
  process.stdout.write(`${String(files.size)} files in ${folder}\n`);
}
