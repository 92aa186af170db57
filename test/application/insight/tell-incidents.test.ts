import { beforeEach, describe, expect, it } from 'vitest';

import { createStore } from '../../../src/application/identity/store-changes.ts';
import { sweepIncidents } from '../../../src/application/insight/sweep-incidents.ts';
import { tellIncidents, type Messenger } from '../../../src/application/insight/tell-incidents.ts';
import { createNodeObservations } from '../../../src/adapters/wiring/node-observations.ts';
import type { NoticeChannel } from '../../../src/domain/insight/notice-rules.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';

const CHANNELS: readonly NoticeChannel[] = ['webhook', 'mail'];

describe('people hear of an incident', () => {
  let world: MemoryWorld;
  let storeId: string;
  let fails: string | null;
  let sent: string[];
  let failures: string[];
  let sweep: () => Promise<void>;
  let tell: () => Promise<void>;
  beforeEach(async () => {
    world = openMemoryPorts();
    const created = await createStore(world, null)({ domain: 'a.test' });
    storeId = created.ok ? created.value.id : expect.fail(created.message);
    [fails, sent, failures] = [null, [], []];
    const messenger: Messenger = {
      channels: CHANNELS,
      send: async (channel, notices) => {
        if (fails === null)
          sent.push(`${channel}: ${notices.map(({ phase, incident }) => `${phase} ${incident.kind}`).join(', ')}`);
        return fails;
      },
      close: () => undefined,
    };
    sweep = sweepIncidents(world, createNodeObservations(world.clock), CHANNELS);
    tell = tellIncidents(world, messenger, (channel, reason) => void failures.push(`${channel}: ${reason}`));
  });
  const seconds = (count: number) => {
    world.clock.advance(count * 1_000);
  };
  const refuse = (count: number, reason = 'rate_limited') =>
    world.requestLog.write([
      {
        ...{ id: world.ids.next(), at: world.clock.now(), route: 'GET /x', status: 429, code: 'rate_limited', reason },
        ...{ check: 'rate', storeId, host: 'a.test', installationId: null, durationMs: 1, leftOut: count - 1 },
      },
    ]);

  it('once at its beginning and once at its end, over each channel', async () => {
    await refuse(60);
    await sweep();
    seconds(11);
    for (let round = 0; round < 3; round += 1) {
      await tell();
      await sweep();
      seconds(61);
    }
    expect(sent).toEqual(['webhook: begin refusals', 'mail: begin refusals']);
    seconds(700);
    await sweep();
    seconds(11);
    await tell();
    await tell();
    expect(sent.slice(2)).toEqual(['webhook: end refusals', 'mail: end refusals']);
  });
  it('with the others of the same minute in one message', async () => {
    await refuse(60);
    await refuse(60, 'other');
    await sweep();
    seconds(11);
    await tell();
    expect(sent).toEqual(['webhook: begin refusals, begin refusals', 'mail: begin refusals, begin refusals']);
    await refuse(60, 'third');
    await sweep();
    seconds(30);
    await tell();
    expect(sent).toHaveLength(2);
    seconds(31);
    await tell();
    expect(sent).toHaveLength(4);
  });
  it('not at all if it has ended before', async () => {
    await refuse(60);
    await sweep();
    seconds(800);
    await sweep();
    seconds(61);
    await tell();
    expect(sent).toEqual([]);
  });
  it('again later when a message was not accepted, and of its end alone when it has ended meanwhile', async () => {
    await refuse(60);
    await sweep();
    seconds(11);
    fails = 'status 503';
    await tell();
    expect(failures).toEqual(['webhook: status 503', 'mail: status 503']);
    fails = null;
    await tell();
    expect(sent).toEqual([]);
    seconds(800);
    await sweep();
    seconds(11);
    await tell();
    expect(sent).toEqual(['webhook: end refusals', 'mail: end refusals']);
  });
  it('that was over before it could be recorded', async () => {
    const observations = createNodeObservations(world.clock);
    observations.missed('database', world.clock.now());
    seconds(30);
    observations.answered('database');
    await sweepIncidents(world, observations, CHANNELS)();
    seconds(11);
    await tell();
    expect(sent).toEqual(['webhook: end database_away', 'mail: end database_away']);
  });
});
