import { mkdir, rm, writeFile } from 'node:fs/promises';

import { bundleConsole } from '../src/adapters/console/bundle-console.ts';
import { MANIFEST } from '../src/adapters/console/console-files.ts';

/** Writes the console's files for the compiled server, which has no bundler. */
const folder = new URL('../dist/console/', import.meta.url);
const { files, ...manifest } = await bundleConsole();
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
for (const [name, bytes] of files) await writeFile(new URL(name, folder), bytes);
await writeFile(new URL(MANIFEST, folder), JSON.stringify(manifest));
