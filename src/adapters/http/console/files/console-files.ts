import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import { bundleConsole, type ConsoleBundle } from './bundle-console.ts';
import { indexPage, type ConsoleKind } from './index-page.ts';

/** A file as it is sent: its media type, and its bytes as they are and compressed. */
export interface ConsoleFile {
  readonly type: string;
  readonly bytes: Uint8Array;
  readonly gzipped: Uint8Array;
}

export interface ConsoleFiles {
  readonly assets: ReadonlyMap<string, ConsoleFile>;
  readonly page: (kind: ConsoleKind) => string;
}

/** Output of `npm run build`, beside the compiled server. There is none beside the source. */
const PREBUILT = new URL('../../../../console/', import.meta.url);
/** Names the files of a page within the folder. */
export const MANIFEST = 'manifest.json';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

const compress = promisify<Uint8Array, { level: number }, Buffer>(gzip);

/** The prebuilt files; null where there are none. */
const readPrebuilt = async (folder: URL): Promise<ConsoleBundle | null> => {
  if (!existsSync(new URL(MANIFEST, folder))) return null;
  const names = await readdir(folder);
  const manifest = JSON.parse(await readFile(new URL(MANIFEST, folder), 'utf8')) as Omit<ConsoleBundle, 'files'>;
  const assets = names.filter((name) => name !== MANIFEST);
  const files = await Promise.all(assets.map(async (name) => [name, await readFile(new URL(name, folder))] as const));
  return { ...manifest, files: new Map(files) };
};

const sent = async (name: string, bytes: Uint8Array): Promise<readonly [string, ConsoleFile]> => {
  const type = TYPES[extname(name)] ?? 'application/octet-stream';
  return [name, { type, bytes, gzipped: await compress(bytes, { level: 9 }) }];
};

const load = async (prebuilt: URL, bundle: () => Promise<ConsoleBundle>): Promise<ConsoleFiles> => {
  const made = (await readPrebuilt(prebuilt)) ?? (await bundle());
  const assets = await Promise.all([...made.files].map(([name, bytes]) => sent(name, bytes)));
  return { assets: new Map(assets), page: (kind) => indexPage(made, kind) };
};

export interface ConsoleFilesOptions {
  readonly prebuilt?: URL;
  readonly bundle?: () => Promise<ConsoleBundle>;
}

/**
 * The loader of the console's files: prebuilt where `npm run build` made them, otherwise bundled
 * from the source. They are loaded once; after a failure the next call tries again.
 */
export const openConsoleFiles = ({
  prebuilt = PREBUILT,
  bundle = bundleConsole,
}: ConsoleFilesOptions = {}): (() => Promise<ConsoleFiles>) => {
  let loading: Promise<ConsoleFiles> | undefined;
  return () => {
    if (loading) return loading;
    const started = load(prebuilt, bundle);
    loading = started;
    started.catch(() => {
      loading = undefined;
    });
    return started;
  };
};
