import { beforeEach, expect, it } from 'vitest';

import { createStore } from '../../../src/application/identity/store-changes.ts';
import { sweepIncidents } from '../../../src/application/insight/sweep-incidents.ts';
import { createNodeObservations, observing, type NodeObservations } from '../../../src/adapters/wiring/node-observations.ts';
import type { RecurringTask } from '../../../src/domain/insight/processes.ts';
import { NO_STORE } from '../../../src/domain/ports/locator.ts';
import { QueueUnavailable } from '../../../src/domain/ports/webhooks/delivery-queue.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';
import { noticesOf } from '../../memory/insight/notice-tables.ts';
import { createMemoryState, type MemoryState } from '../../memory/state.ts';

let state: MemoryState;
let world: MemoryWorld;
let storeId: string;
let observations: NodeObservations;
let sweep: () => Promise<void>;
beforeEach(async () => {
  state = createMemoryState();
  world = openMemoryPorts({}, state);
  const created = await createStore(world, null)({ domain: 'a.test' });
  storeId = created.ok ? created.value.id : expect.fail(created.message);
  observations = createNodeObservations(world.clock);
  sweep = sweepIncidents(world, observations);
});

const list = async (of: string | null = storeId) =>
  ((await world.incidents.list(of, {}, { after: null, take: 50 })) ?? []).map(({ kind, name, impact, endedAt }) => ({
    kind,
    name,
    impact,
    isOpen: endedAt === null,
  }));
const seconds = (count: number) => {
  world.clock.advance(count * 1_000);
};
const refuse = (count: number) =>
  world.requestLog.write([
    {
      ...{
        id: world.ids.next(),
        at: world.clock.now(),
        route: 'GET /x',
        status: 429,
        code: 'rate_limited',
        reason: 'rate_limited',
      },
      ...{ check: 'rate', storeId, host: 'a.test', installationId: null, durationMs: 1, leftOut: count - 1 },
    },
  ]);

it('begins an incident, keeps the greatest impact, and ends it', async () => {
  await refuse(60);
  await sweep();
  const of = { kind: 'refusals', name: 'Requests without a valid token' };
  expect(await list()).toEqual([{ ...of, impact: 60, isOpen: true }]);
  await refuse(20);
  await sweep();
  await sweep();
  expect(await list()).toEqual([{ ...of, impact: 80, isOpen: true }]);
  seconds(700);
  await sweep();
  expect(await list()).toEqual([{ ...of, impact: 80, isOpen: false }]);
});

it('notes nothing to tell where no channel is set up', async () => {
  await refuse(60);
  await sweep();
  expect(await list()).toHaveLength(1);
  expect(noticesOf(state).size).toBe(0);
});

it('two nodes begin an incident once', async () => {
  await refuse(60);
  await Promise.all([sweep(), sweepIncidents(world, createNodeObservations(world.clock))()]);
  expect(await list()).toHaveLength(1);
});

it('records an absence of the database of ten seconds when it is over, once on two nodes', async () => {
  const other = createNodeObservations(world.clock);
  const missed = () => {
    for (const one of [observations, other]) one.missed('database', world.clock.now());
  };
  missed();
  seconds(9);
  observations.answered('database');
  other.answered('database');
  await sweep();
  expect(await list(NO_STORE)).toEqual([]);
  missed();
  seconds(6);
  missed();
  seconds(6);
  observations.answered('database');
  other.answered('database');
  await sweep();
  await sweepIncidents(world, other)();
  await sweep();
  expect(await list(NO_STORE)).toEqual([{ kind: 'database_away', name: 'Database', impact: 12, isOpen: false }]);
});

it('keeps an absence of the database for the next sweep when it cannot be recorded', async () => {
  observations.missed('database', world.clock.now());
  seconds(30);
  observations.answered('database');
  const failing = { ...world, incidents: { ...world.incidents, record: () => Promise.reject(new Error('away')) } };
  await expect(sweepIncidents(failing, observations)()).rejects.toThrow('away');
  await sweep();
  expect(await list(NO_STORE)).toMatchObject([{ kind: 'database_away', impact: 30 }]);
});

it('an absence of Redis begins after ten seconds, and ends a minute after the last node has seen it', async () => {
  observations.missed('redis', world.clock.now());
  seconds(9);
  await sweep();
  expect(await list(NO_STORE)).toEqual([]);
  seconds(11);
  await sweep();
  seconds(20);
  await sweep();
  observations.answered('redis');
  // A node that never missed it does not end what another sees.
  await sweepIncidents(world, createNodeObservations(world.clock))();
  expect(await list(NO_STORE)).toEqual([{ kind: 'redis_away', name: 'Redis', impact: 40, isOpen: true }]);
  seconds(61);
  await sweep();
  const [ended] = (await world.incidents.list(NO_STORE, {}, { after: null, take: 1 })) ?? [];
  expect((Date.parse(ended?.endedAt ?? '') - Date.parse(ended?.beganAt ?? '')) / 1_000).toBe(40);
});

it('a key that is missing is an incident while work needs it', async () => {
  observations.unopened('k1');
  observations.unopened('k2');
  observations.unopened('k1');
  await sweep();
  expect((await list(NO_STORE)).map(({ name }) => name).sort()).toEqual(['Key k1', 'Key k2']);
  for (const waited of [31, 28, 1]) {
    expect((await list(NO_STORE)).map(({ isOpen }) => isOpen)).toEqual([true, true]);
    seconds(waited);
    observations.unopened('k1');
    await sweep();
  }
  expect((await list(NO_STORE)).filter(({ isOpen }) => isOpen)).toMatchObject([{ name: 'Key k1' }]);
});

it('a look that meets an outage is a miss, and one that meets a bug is reported', async () => {
  const away = observing(observations, 'redis', () => Promise.reject(new QueueUnavailable(null)), world.clock);
  const no = observing(observations, 'redis', async () => false, world.clock);
  await away();
  seconds(20);
  await no();
  await sweep();
  expect(await list(NO_STORE)).toMatchObject([{ impact: 20 }]);
  await observing(observations, 'redis', async () => true, world.clock)();
  expect(observations.sightings().find(({ kind }) => kind === 'redis_away')?.signals).toEqual([]);
  const bug = observing(observations, 'redis', () => Promise.reject(new TypeError('bug')), world.clock);
  await expect(bug()).rejects.toThrow('bug');
});

it('says that no work is done while nodes run and no worker does, or while a task does not succeed', async () => {
  const node = { name: 'host:1', version: '1', keys: ['k1'], sealing: 'k1', tasks: [] };
  const [api, worker] = [world.ids.next(), world.ids.next()];
  const beat = async (tasks: readonly RecurringTask[] | null): Promise<void> => {
    await world.processes.beat({ ...node, id: api, role: 'api' });
    if (tasks !== null) await world.processes.beat({ ...node, id: worker, role: 'worker', tasks });
    await sweep();
  };
  await beat([]);
  seconds(59);
  await beat(null);
  expect(await list(NO_STORE)).toEqual([]);
  seconds(1);
  await beat(null);
  const none = { kind: 'work_stopped', name: 'Workers', impact: 60 };
  expect(await list(NO_STORE)).toEqual([{ ...none, isOpen: true }]);
  await beat([{ name: 'The sweep', everySeconds: 20, secondsAgo: 500 }]);
  const late = { kind: 'work_stopped', name: 'The sweep', impact: 500 };
  expect(await list(NO_STORE)).toEqual(
    expect.arrayContaining([
      { ...none, isOpen: false },
      { ...late, isOpen: true },
    ]),
  );
  await beat([{ name: 'The sweep', everySeconds: 20, secondsAgo: 1 }]);
  expect((await list(NO_STORE)).filter(({ isOpen }) => isOpen)).toEqual([]);
});
