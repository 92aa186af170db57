import { expect, it } from 'vitest';

import type { CitusFacts, CitusNode, NodeAnswer } from '../../src/adapters/prisma/connection/citus/facts.ts';
import { judgeCitus } from '../../src/adapters/prisma/doctor/citus-check.ts';

const ANSWER: NodeAnswer = { postgresql: 15, citus: 13, preparedTransactions: 200, walLevel: 'logical', secondsApart: 0 };
const COORDINATOR: CitusNode = { node: 'c:5432', isActive: true, hasShards: false, answer: ANSWER };
const WORKER: CitusNode = { node: 'w1:5432', isActive: true, hasShards: true, answer: ANSWER };
const FACTS: CitusFacts = {
  ...{ version: '13.2.2', postgresql: 15, workers: 1, tables: 57, shards: 1824, undistributed: [], recoveryMs: 1_000 },
  nodes: [COORDINATOR, WORKER],
};

const worker = (answer: Partial<NodeAnswer>): CitusFacts => ({
  ...FACTS,
  nodes: [COORDINATOR, { ...WORKER, answer: { ...ANSWER, ...answer } }],
});

it('a Citus cluster that lacks nothing is one finding', () => {
  expect(judgeCitus(FACTS)).toEqual([
    { result: 'ok', message: 'Citus 13.2.2: 1 worker, 57 distributed tables, 1,824 shards', remedy: null },
  ]);
});

it.each<[string, CitusFacts, 'failed' | 'warning', RegExp, RegExp]>([
  ['tables without a place', { ...FACTS, undistributed: ['a', 'b'] }, 'failed', /^2 tables have no place yet$/, /tenon migrate/],
  ['no worker', { ...FACTS, workers: 0, nodes: [COORDINATOR] }, 'warning', /^there is no worker$/, /citus_add_node/],
  [
    'a node that does not answer',
    { ...FACTS, nodes: [COORDINATOR, { ...WORKER, answer: 'failed to connect' }] },
    'failed',
    /^w1:5432 does not answer \(failed to connect\): requests of its stores get 503$/,
    /standby/,
  ],
  [
    'a node without shards that does not answer',
    { ...FACTS, nodes: [{ ...COORDINATOR, answer: 'failed to connect' }, WORKER] },
    'failed',
    /^c:5432 does not answer \(failed to connect\)$/,
    /Start it/,
  ],
  [
    'a node that is not active',
    { ...FACTS, nodes: [COORDINATOR, { ...WORKER, isActive: false, answer: null }] },
    'warning',
    /^w1:5432 is not active/,
    /citus_activate_node/,
  ],
  ['no prepared transactions', worker({ preparedTransactions: 0 }), 'failed', /is 0 on w1:5432/, /max_connections or more/],
  ['a log that is not logical', worker({ walLevel: 'replica' }), 'warning', /^wal_level is not logical on w1:5432/, /to logical/],
  ['a slow recovery', { ...FACTS, recoveryMs: 60_000 }, 'warning', /interval is 60 s: .* for as long$/, /'1s'/],
  ['no recovery', { ...FACTS, recoveryMs: -1 }, 'warning', /interval is off: /, /'1s'/],
  ['a clock', worker({ secondsApart: 1.25 }), 'warning', /^the clock differs .*: 1\.3 s on w1:5432$/, /NTP/],
  ['another PostgreSQL', worker({ postgresql: 16 }), 'warning', /w1:5432 has PostgreSQL 16 and Citus 13$/, /same major/],
  ['another Citus', worker({ citus: 12 }), 'warning', /w1:5432 has PostgreSQL 15 and Citus 12$/, /same major/],
])('%s is a finding with its remedy', (_title, facts, result, message, remedy) => {
  const [, ...faults] = judgeCitus(facts);
  expect(faults).toEqual([{ result, message: expect.stringMatching(message), remedy: expect.stringMatching(remedy) }]);
});

it.each<[string, CitusFacts]>([
  [
    'a coordinator whose log is not logical, since it has no shards',
    { ...FACTS, nodes: [{ ...COORDINATOR, answer: { ...ANSWER, walLevel: 'replica' } }, WORKER] },
  ],
  ['a clock that is a second apart', worker({ secondsApart: 1 })],
])('%s is not a fault', (_title, facts) => {
  expect(judgeCitus(facts)).toHaveLength(1);
});
