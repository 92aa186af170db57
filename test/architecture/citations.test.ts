import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { root, textOf } from './source.ts';

const FOLDERS = ['src', 'test', 'console', 'clients', 'prisma', 'bench', 'bin', 'deploy', 'examples', '.ci'];
const isText = (path: string): boolean =>
  /(?:\.(?:[cm]?[jt]sx?|css|sql|prisma|ya?ml|service)|Dockerfile)$/.test(path) &&
  !/(?:^|\/)(?:node_modules|generated|dist)\//.test(path);
const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(isText)
    .map((path) => `${folder}/${path}`),
);

/** The comments of a file, each on one line. */
const commentsOf = (text: string): string =>
  [...text.matchAll(/(?<=^|\s)(?:\/\*[\s\S]*?\*\/|(?:\/\/|#|--) .*)/gm)]
    .map(([comment]) => comment.replaceAll(/\n\s*\*/g, '').replaceAll(/\s+/g, ' '))
    .join('\n');

const hasHeading = (page: string, heading: string): boolean =>
  textOf(page)
    .split('\n')
    .some((line) => line.replace(/^#+ /, '') === heading && line.startsWith('#'));

/** The citations of pages that do not exist, that have no such heading, or that name a heading without quotes. */
const faultsOf = (text: string): string[] =>
  [...commentsOf(text).matchAll(/(?<![\w/.*-])([\w./-]+\.md)(?:, "([^"]+)"|, (?=[A-Z]))?/g)].flatMap(
    ([cited, page = '', heading]) => {
      const isFound =
        existsSync(join(root, page)) && !cited.endsWith(', ') && (heading === undefined || hasHeading(page, heading));
      return isFound ? [] : [cited];
    },
  );

it('every page that a comment cites exists, with the heading that it names', () => {
  expect(files.flatMap((file) => faultsOf(textOf(file)).map((fault) => `${file}: ${fault}`))).toEqual([]);
});

it('a citation is found in every kind of comment, also where it is folded', () => {
  const page = ['docs', 'nothing.md'].join('/');
  const heading = ['docs/specification/README.md', '"Nothing"'].join(', ');
  const folded = ['docs/specification/README.md,', ' * "Nothing"'].join('\n');
  const bare = ['docs/specification/README.md', 'Limits'].join(', ');
  expect(faultsOf(`/** As ${page} says. */`)).toEqual([page]);
  expect(faultsOf(`// ${heading}.`)).toEqual([heading]);
  expect(faultsOf(`/**\n * As ${folded}.\n */`)).toEqual([heading]);
  expect(faultsOf(`# ${bare}.`)).toEqual([bare.replace('Limits', '')]);
  expect(faultsOf('-- docs/specification/README.md, "Limits"; see README.md.')).toEqual([]);
  expect(faultsOf(`say('${page}');`)).toEqual([]);
});
