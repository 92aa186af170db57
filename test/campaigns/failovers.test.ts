import { describe, expect, it } from 'vitest';

import { failoverRounds } from './faults/short-rounds.ts';

const aRound = failoverRounds();

describe('a short campaign of failovers breaks no promise', () => {
  it('where every commit waits for the standby', async () => {
    const hosts = { isAsynchronous: false, address: 'hosts', processes: 2 } as const;
    const { violations, failovers, landed } = await aRound(hosts, ['dies-in-wait', 'promote-unfenced']);
    expect(violations).toEqual([]);
    expect([failovers.length, landed.length]).toEqual([2, 2]);
  }, 300_000);

  it('where none waits: what is lost is the end, and each reader of it is informed', async () => {
    const name = { isAsynchronous: true, address: 'name', processes: 1 } as const;
    const { violations, failovers, informed } = await aRound(name, ['promote-dead']);
    expect(violations).toEqual([]);
    expect(failovers.map(({ lostPlaces }) => lostPlaces > 0)).toEqual([true]);
    expect(informed).toBeGreaterThan(0);
  }, 300_000);
});
