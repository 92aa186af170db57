import { expect, it } from 'vitest';

import config from '../../vitest.config.ts';
import { sourceFiles, textOf } from './source.ts';

interface Project {
  readonly test: { readonly name: string; readonly include: readonly string[] };
}
const configured = config.test as { readonly projects: readonly Project[] };

/** The folders of each project, from its patterns: `test/{a,b}/**` or `test/a/**`. What the project `citus` runs again has another form. */
const projects = new Map(
  configured.projects.map(({ test: { name, include } }) => [
    name,
    include.flatMap((pattern) => /^test\/\{?([\w,]+)\}?\/\*\*/.exec(pattern)?.[1]?.split(',') ?? []),
  ]),
);

const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Readonly<Record<string, string>> };
const projectsOf = (script: string): string[] =>
  [...(scripts[script] ?? '').matchAll(/--project (\w+)/g)].map(([, name = '']) => name).sort();

it('every test file belongs to exactly one project', () => {
  const folders = [...projects.values()].flat();
  const found = new Set(sourceFiles('test').flatMap((file) => (file.endsWith('.test.ts') ? [file.split('/')[1] ?? ''] : [])));
  expect(folders.sort()).toEqual([...found].sort());
});

it('CI runs each project once: by npm test, and a script for each of the others', () => {
  const commands = ['test', 'test:console', 'test:campaigns', 'test:long', 'test:planted', 'test:citus'];
  expect(commands.flatMap(projectsOf).sort()).toEqual([...projects.keys()].sort());
  expect(projectsOf('test')).toEqual(['rules', 'services', 'unit']);
  expect(projectsOf('test:campaigns')).toEqual(['campaigns']);
  expect(projectsOf('test:long')).toEqual(['long']);
  expect(projectsOf('test:console')).toEqual(['console']);
  expect(projectsOf('test:planted')).toEqual(['planted']);
  expect(projectsOf('test:citus')).toEqual(['citus']);
  const ci = textOf('.ci/run')
    .split('\n')
    .map((line) => line.trim());
  expect(ci).toEqual(
    expect.arrayContaining([
      'tested npm test',
      'tested npm run test:console',
      'tested npm run test:campaigns',
      'tested npm run test:long',
      'tested npm run test:planted',
      'tested npm run test:citus -- test/citus',
    ]),
  );
});

it('the parts of `npm test` run side by side in .github, and each job is a part of .ci/run', () => {
  const [, listed = ''] = /part: \[(.+)\]/.exec(textOf('.github/workflows/ci.yml')) ?? [];
  const parts = listed.split(', ');
  expect(parts).toEqual(['check', 'unit', 'services', 'console', 'campaigns', 'long', 'planted']);
  const known = [...textOf('.ci/run').matchAll(/^(\w+)\(\) \{$/gm)].map(([, name = '']) => name);
  expect(parts.filter((part) => !known.includes(part))).toEqual([]);
  expect(['test:unit', 'test:rules', 'test:services'].flatMap(projectsOf).sort()).toEqual(projectsOf('test'));
});

it('no test outside the campaigns starts a campaign or a benchmark', () => {
  const starts =
    /'(?:bench|test\/campaigns\/(?:faults|hostile|readers))\/index\.ts'|faults\/campaign\.ts|faults\/round\.ts|readers\/campaign\.ts/;
  const others = sourceFiles('test').filter((file) => file.endsWith('.test.ts') && !/^test\/(?:campaigns|planted)\//.test(file));
  expect(others.filter((file) => file !== 'test/architecture/suites.test.ts' && starts.test(textOf(file)))).toEqual([]);
});
