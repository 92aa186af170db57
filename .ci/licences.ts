import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';

/**
 * `npm run licences` writes docs/licences.md from package-lock.json, which knows the packages of
 * every platform; a test compares.
 */
const root = new URL('../', import.meta.url);
export const FILE = 'docs/licences.md';

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

export interface Dependency {
  readonly name: string;
  readonly version: string;
  /** SPDX, as the package states it; empty where it states none. */
  readonly licence: string;
  /** For tests and benches alone: it never goes where Tenon goes. */
  readonly isDev: boolean;
}

/** Licences that ask for their notice to be kept, no more. */
const PERMISSIVE = new Set([
  ...[
    'MIT',
    'MIT-0',
    'ISC',
    '0BSD',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'Apache-2.0',
    'BlueOak-1.0.0',
    'Zlib',
    'Unlicense',
    'CC0-1.0',
  ],
  'PSF-2.0',
]);

/** Packages that state their licence in a file, or in an older form of package.json. */
const STATED: Readonly<Record<string, string>> = { busboy: 'MIT', streamsearch: 'MIT' };

/** Packages that may be there under another licence, and why. A name may end in `*`. */
export const EXCEPTIONS: Readonly<Record<string, string>> = {
  '@img/sharp-libvips-*':
    'LGPL-3.0-or-later: libvips, the library by which sharp decodes images. It is loaded as an unchanged shared library from a separate package, so users of Tenon can replace it. Its source is at https://github.com/libvips/libvips.',
  '@img/sharp-wasm32': 'sharp where there is no native build, with libvips (LGPL-3.0-or-later) inside: as above.',
  '@img/sharp-win32-*': 'sharp for Windows, with libvips (LGPL-3.0-or-later) beside it as a DLL: as above.',
  argparse: 'Python-2.0: js-yaml brings it, and that openapi-typescript, for development alone.',
  'axe-core': 'MPL-2.0: finds what is not accessible in the tests of the console. Unchanged, for development alone.',
  'lightningcss*': 'MPL-2.0: a tool of vitest. Unchanged, for development alone.',
  'humanize-number': 'States no licence. koa-logger brings it, and that the S3 server of the tests: for development alone.',
  only: 'States no licence. koa brings it, and that the S3 server of the tests: for development alone.',
};

const fits = (name: string, pattern: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

const isPermissive = (licence: string): boolean => {
  const alternatives = licence.replaceAll(/[()]/g, '').split(/ or /i);
  return alternatives.some((all) => all.split(/ and /i).every((one) => PERMISSIVE.has(one.trim())));
};

/**
 * Every package of the lock, by name; one that is there in several places or versions has a line
 * for each version.
 */
export const dependencies = (lock: string): Dependency[] => {
  const { packages } = JSON.parse(lock) as { packages: Readonly<Record<string, Locked>> };
  const all = Object.entries(packages)
    // Only packages below node_modules are third-party, except links.
    .filter(([path, { link = false }]) => path.includes('node_modules/') && !link)
    .map(([path, { version = '', license = '', dev = false }]) => {
      const name = path.split('node_modules/').at(-1) ?? path;
      return { name, version, licence: license || (STATED[name] ?? ''), isDev: dev };
    });
  const found = new Map(all.map((one) => [`${one.name} ${one.version}`, one]));
  // Where one place is for development and another not, it goes along.
  for (const one of all) if (!one.isDev) found.set(`${one.name} ${one.version}`, one);
  return [...found.values()].sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));
};

/** Lists licences that are neither permissive nor excepted. */
export const refused = (all: readonly Dependency[]): Dependency[] =>
  all.filter(({ name, licence }) => !isPermissive(licence) && !Object.keys(EXCEPTIONS).some((pattern) => fits(name, pattern)));

/** Exceptions that no package needs any more. */
export const unused = (all: readonly Dependency[]): string[] =>
  Object.keys(EXCEPTIONS).filter((pattern) => !all.some(({ name, licence }) => fits(name, pattern) && !isPermissive(licence)));

const list = (all: readonly Dependency[]): string =>
  all.map(({ name, version, licence }) => `- ${name} ${version}: ${licence || 'none stated'}`).join('\n');

/** docs/licences.md. */
export const licencesText = async (all: readonly Dependency[]): Promise<string> => {
  const reasons = Object.entries(EXCEPTIONS).map(([name, reason]) => `- \`${name}\`: ${reason}`);
  const text = [
    '# Licences of what Tenon depends on',
    'Tenon itself is under Apache-2.0. Written by `npm run licences` from package-lock.json, for all platforms; do not edit. A package whose licence asks for more than its notice needs a reason here, or the tests fail.',
    '## Excepted',
    reasons.join('\n'),
    '## What goes along with Tenon',
    list(all.filter(({ isDev }) => !isDev)),
    '## For development alone',
    'The console is compiled from some of these. The build writes their licences to dist/console-licences.txt. The container image has @aws-sdk/client-s3 and what it needs.',
    list(all.filter(({ isDev }) => isDev)),
    '',
  ].join('\n\n');
  return format(text, { ...(await resolveConfig(new URL(FILE, root))), parser: 'markdown' });
};

export const lockText = (): string => readFileSync(new URL('package-lock.json', root), 'utf8');

if (process.argv[1] !== undefined && import.meta.url.endsWith(process.argv[1].split('/').at(-1) ?? '')) {
  const all = dependencies(lockText());
  for (const { name, version, licence } of refused(all)) {
    process.stderr.write(
      `${name} ${version} is under ${licence || 'no stated licence'}: give a reason in .ci/licences.ts, or do without it\n`,
    );
    process.exitCode = 1;
  }
  writeFileSync(new URL(FILE, root), await licencesText(all));
}
