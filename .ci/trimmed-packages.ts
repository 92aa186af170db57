import { cpSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Packages that have far more files than the server loads. The build copies these files to
 * dist/node_modules, where Node.js finds them first, and the packed manifest leaves the packages
 * out: 75 MB of engines for other databases and of builds for other loaders. A name that ends in `/`
 * is a folder.
 */
const TRIMMED = {
  '@prisma/client': [
    'runtime/client.js',
    'runtime/query_compiler_fast_bg.postgresql.mjs',
    'runtime/query_compiler_fast_bg.postgresql.wasm-base64.mjs',
  ],
  // The client's own dependency, which does not come without it.
  '@prisma/client-runtime-utils': ['dist/'],
  'swagger-ui-dist': [
    'NOTICE',
    'favicon-32x32.png',
    'swagger-ui-bundle.js',
    'swagger-ui-bundle.js.LICENSE.txt',
    'swagger-ui.css',
  ],
  // Loaded where a collector is set. Each has three builds of itself, with their maps.
  '@opentelemetry/api': ['build/src/'],
  '@opentelemetry/api-logs': ['build/src/'],
  '@opentelemetry/core': ['build/src/'],
  '@opentelemetry/exporter-trace-otlp-http': ['build/src/'],
  '@opentelemetry/otlp-exporter-base': ['build/src/'],
  '@opentelemetry/otlp-transformer': ['build/src/'],
  '@opentelemetry/resources': ['build/src/'],
  '@opentelemetry/sdk-logs': ['build/src/'],
  '@opentelemetry/sdk-metrics': ['build/src/'],
  '@opentelemetry/sdk-trace': ['build/src/'],
  '@opentelemetry/sdk-trace-base': ['build/src/'],
  '@opentelemetry/semantic-conventions': ['dist/'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** For debuggers and compilers, which an installed server has not. */
const isForDevelopment = (path: string): boolean => /\.(map|d\.[cm]?ts)$/.test(path);

export const trimmedPackages: readonly string[] = Object.keys(TRIMMED);

const root = fileURLToPath(new URL('../', import.meta.url));

/** Copies the files into this folder, each package with its manifest and its licence. */
export const copyTrimmedPackages = (folder: string): void => {
  for (const [name, files] of Object.entries(TRIMMED)) {
    for (const file of ['package.json', 'LICENSE', ...files]) {
      const target = join(folder, name, file);
      mkdirSync(dirname(target), { recursive: true });
      cpSync(join(root, 'node_modules', name, file), target, {
        recursive: true,
        dereference: true,
        filter: (source) => !isForDevelopment(source),
      });
    }
  }
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , folder] = process.argv;
  if (folder === undefined) throw new Error('Usage: tsx .ci/trimmed-packages.ts <folder>');
  copyTrimmedPackages(folder);
}
