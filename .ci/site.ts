import { copyFile, cp, mkdir, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import express from 'express';

import { docsRouter, STATIC_FILES } from '../src/adapters/http/pages/docs.ts';
import { DOCS, openSite } from '../src/adapters/http/pages/site/site.ts';

/** Writes the documentation as the server shows it into this folder, for any host of static files. */
const folder = process.argv[2];
if (folder === undefined) throw new Error('Usage: npm run site -- <folder>');

const server = express().use(docsRouter('plain')).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const { port } = server.address() as AddressInfo;

const write = async (address: string, file: string): Promise<void> => {
  const response = await fetch(`http://127.0.0.1:${String(port)}${address}`);
  if (!response.ok) throw new Error(`${address} is answered with ${String(response.status)}`);
  const path = join(folder, file);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, new Uint8Array(await response.arrayBuffer()));
};

const pages = ['/docs', ...[...openSite().pages.values()].map(({ address }) => address)];
for (const address of pages) await write(address, `${address}/index.html`);
for (const { address } of openSite().pages.values()) await write(`${address}.md`, `${address}.md`);
for (const address of [...STATIC_FILES, '/llms.txt']) await write(address, address);
await cp(join(DOCS, 'images'), join(folder, 'docs/images'), { recursive: true });
await copyFile(join(DOCS, 'openapi.json'), join(folder, 'openapi.json'));
server.close();
process.stdout.write(`${String(pages.length)} pages in ${folder}\n`);
