import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { bundleConsole } from '../src/adapters/http/console/files/bundle-console.ts';
import { MANIFEST } from '../src/adapters/http/console/files/console-files.ts';

/** Writes the console's files into this folder, for the compiled server, which has no bundler. */
const folder = process.argv[2];
if (folder === undefined) throw new Error('Usage: tsx console/build.ts <folder>');
const { files, ...manifest } = await bundleConsole();
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
for (const [name, bytes] of files) await writeFile(join(folder, name), bytes);
await writeFile(join(folder, MANIFEST), JSON.stringify(manifest));
