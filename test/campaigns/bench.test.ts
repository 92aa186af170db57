import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';

import { compare } from '../../bench/support/contest.ts';
import { sharesOf } from '../../bench/support/profile.ts';
import type { Side } from '../../bench/support/stage.ts';
import { runMain } from '../support/main-process.ts';

const BENCH = [process.execPath, '--import', 'tsx', 'bench/index.ts'];

const CASES = [
  'list',
  'detail',
  'half',
  'token',
  'bulk-1',
  'bulk-100',
  'bulk-250',
  'bulk-contended',
  'variants',
  'replay',
  'collection',
  'walk',
  'import',
  'storage',
  'nodes',
  'workers',
  'refusals',
  'growth',
  'purge',
  'memory',
  'deliveries',
  'deliveries-page',
  'console',
  'latency',
  'feed',
  'subscriptions',
  'tracing',
  'isolation',
  'slow-disk',
];

/** The medians of a case's section without their units, by the names of its figures. */
const mediansOf = (section: string): [string, string][] =>
  [...section.matchAll(/^\| (.+?) \| ([^\s|]+)[^|]*\|/gm)]
    .map(([, name = '', median = '']): [string, string] => [name, median])
    .filter(([name]) => name !== 'Figure' && name !== '---');

// The figures are not judged here: the machine is everyone's.
it('npm run bench -- --short finishes every case, and every request is answered', async () => {
  const bench = runMain({ command: [...BENCH, '--short'] });
  const code = await bench.ended;
  expect(code, bench.err()).toBe(0);
  const [, ...sections] = bench.out().split(/^## /m);
  expect(sections.map((section) => section.split('\n')[0]).sort()).toEqual([...CASES].sort());
  for (const section of sections) {
    const medians = mediansOf(section);
    expect(medians.length, section).toBeGreaterThan(0);
    for (const [name, median] of medians) {
      const wanted = name.endsWith(': errors') ? /^0$/ : /^-?[\d,.]+$/;
      // The kernel counts processor time in hundredths of a second: of so few requests it may be none.
      expect([name, median]).toEqual([name, expect.stringMatching(name.includes('CPU') ? /./ : wanted)]);
    }
  }
}, 1_800_000);

// The last two cases run by their names alone: Citus and Medusa are not installed with Tenon.
it.each([
  ['lists', `There is no case lists. The cases are: ${[...CASES, 'citus', 'medusa'].join(', ')}.\n`],
  ['--shorty', "Unknown option '--shorty'"],
  ['--pairs=none', '--pairs must be a number above 0.\n'],
])(
  '%s is refused with the usage, and nothing runs',
  async (given, why) => {
    const bench = runMain({ command: [...BENCH, given] });
    expect(await bench.ended).toBe(2);
    expect(bench.err()).toContain(why);
    expect(bench.err()).toContain('npm run bench -- [case ...]');
    expect(bench.out()).toBe('');
  },
  120_000,
);

it('a ceiling with different answers fails the run and shows the difference', async () => {
  const servers = await Promise.all(
    ['{"items":[],"total":0}', '{"items":[],"total":1}'].map(async (body) => {
      const server = createServer((_request, response) => response.setHeader('Content-Type', 'application/json').end(body));
      await once(server.listen(0, '127.0.0.1'), 'listening');
      return server;
    }),
  );
  const sides = servers.map((server, at): Side => {
    const { port } = server.address() as AddressInfo;
    return { name: `side ${at}`, urls: [`http://127.0.0.1:${port}`], pids: [] };
  });
  const prepared = { method: 'GET', path: '/apps/catalog/products', headers: {} } as const;
  try {
    await expect(compare(sides, prepared)).rejects.toThrow('a ceiling answers something else from character');
    expect((await compare(sides.slice(0, 1), prepared)).status).toBe(200);
  } finally {
    for (const server of servers) server.close();
  }
});

it('a profile shows the share of each package and function in the busy time of the process', () => {
  const frame = (id: number, functionName: string, url: string) => ({
    id,
    callFrame: { functionName, url, scriptId: '1', lineNumber: 0, columnNumber: 0 },
  });
  const profile = {
    nodes: [
      frame(1, '(idle)', ''),
      frame(2, '(garbage collector)', ''),
      frame(3, 'writev', ''),
      frame(4, 'parse', 'file:///x/node_modules/@scope/pkg/lib/a.js'),
      frame(5, '', 'file:///x/src/domain/token.js'),
      frame(6, 'onread', 'node:net'),
    ],
    startTime: 0,
    endTime: 1_000,
    samples: [1, 2, 3, 4, 5, 6, 5],
    timeDeltas: [900, 10, 20, 30, 5, 20, 15],
  };
  const { packages, functions } = sharesOf('Tenon', profile);
  expect(packages).toEqual([
    { name: '@scope/pkg', share: 0.3 },
    { name: 'native', share: 0.2 },
    { name: 'own', share: 0.2 },
    { name: 'node', share: 0.2 },
    { name: '(garbage collector)', share: 0.1 },
  ]);
  expect(functions.map(({ name }) => name)).toEqual([
    'parse, @scope/pkg/lib/a.js',
    'writev',
    '(anonymous), src/domain/token.js',
    'onread, node:net',
    '(garbage collector)',
  ]);
});
