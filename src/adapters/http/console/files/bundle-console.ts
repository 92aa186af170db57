import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface ConsoleBundle {
  readonly script: string;
  readonly stylesheet: string | null;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

const ENTRY = fileURLToPath(new URL('../../../../../console/main.tsx', import.meta.url));

const only = (names: readonly string[], ending: string): string | null =>
  names.find((name) => name.startsWith('main-') && name.endsWith(ending)) ?? null;

/**
 * Bundles the console from its source, in memory. esbuild is loaded only here: the compiled server
 * has the files already. Throws what esbuild reports of a source that is not valid.
 */
export const bundleConsole = async (entry = ENTRY): Promise<ConsoleBundle> => {
  const { build, stop } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: { main: entry },
    outdir: 'console',
    write: false,
    bundle: true,
    minify: true,
    // The bundle is one script: a request for each of many small files takes longer than their
    // bytes, and a page that is not yet loaded would fail while the server is away.
    splitting: false,
    format: 'esm',
    // The first versions that know light-dark(), which esbuild would otherwise write out for one theme.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    // Their licences want these notices kept.
    legalComments: 'eof',
    entryNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    logLevel: 'silent',
  });
  // The bundler's process would stay beside the server.
  await stop();
  const files = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]));
  const names = [...files.keys()];
  const script = only(names, '.js');
  if (script === null) throw new Error(`esbuild made no script of ${entry}`);
  return { script, stylesheet: only(names, '.css'), files };
};
