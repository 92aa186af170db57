import { expect, it } from 'vitest';

import { sourceFiles, textOf } from './source.ts';

const HELPER = 'src/adapters/startup/stop-signals.ts';

/** Processes that another one starts and stops, and tests that send signals to themselves. */
const CHILDREN = ['bench/support/parent.ts', 'test/campaigns/faults/node/main.ts'];

const LISTENS = /process\s*\.(?:on|once|addListener|prependListener)\(\s*(?:signal\b|name\b|'SIG(?:INT|TERM|HUP)')/;
const STARTS = /\bstartEmbeddedPostgres\(/;

const sources = ['src', 'examples', 'bench', 'test', '.ci'].flatMap((folder) => sourceFiles(folder));

it('one module takes the signals of every program that starts a PostgreSQL', () => {
  const listening = sources.filter((path) => LISTENS.test(textOf(path)));
  expect(listening.toSorted()).toEqual([...CHILDREN, HELPER].toSorted());
});

it('a PostgreSQL is closed on a signal wherever it is started: the start itself registers it', () => {
  expect(textOf('src/adapters/embedded/postgres.ts')).toMatch(/closeOnSignal\(/);
  expect(sources.filter((path) => STARTS.test(textOf(path)))).toContain('examples/search-index/demo.ts');
});

it('a program that starts one keeps no folder of it after a signal', () => {
  const programs = sources.filter((path) => /^(?:examples|bench|\.ci)\//.test(path) && STARTS.test(textOf(path)));
  const temporary = programs.filter((path) => /\bmkdtemp(?:Sync)?\(/.test(textOf(path)));
  expect(temporary).not.toEqual([]);
  expect(temporary.filter((path) => !/closeOnSignal\((?:\(\) => rm\(|remove\))/.test(textOf(path)))).toEqual([]);
});
