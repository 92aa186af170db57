import { describe, expect, it } from 'vitest';

import { groundOfThisFile } from './faults/ground-of-this-file.ts';
import { FAILOVER_LIMITS } from './faults/checker/index.ts';
import type { Rule } from './faults/checker/violation.ts';
import { noLandings } from './faults/landings.ts';
import type { Plant } from './faults/node/orders.ts';
import { runRound, type RoundResult } from './faults/round.ts';
import type { FailoverSettings } from './faults/world.ts';

const ground = groundOfThisFile();
let rounds = 0;

/** Every key must be answered and every failover followed, however late. */
const PATIENT = { ...FAILOVER_LIMITS, recovery: Infinity, failover: 30_000 };

const aRound = async (failovers: FailoverSettings, kinds: readonly string[], plant: Plant | null = null) => {
  rounds += 1;
  const landings = noLandings();
  const options = { number: rounds, seed: rounds, milliseconds: 0, short: true, queue: 'postgres', lasting: [] } as const;
  const result: RoundResult = await runRound(ground(), { ...options, kinds, failovers, plant, landings, limits: PATIENT });
  return { ...result, landed: [...landings.kinds.keys()].filter((name) => name.includes('primary')) };
};

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

const PLANTED: readonly (readonly [Plant, Rule, string])[] = [
  ['no-barrier', 'not executed', 'dies-in-wait'],
  ['no-epoch', 'feed lost', 'promote-dead'],
];

describe('the checker finds a planted bug', () => {
  it.each(PLANTED)('%s: %s', { timeout: 300_000, retry: 2 }, async (plant, rule, course) => {
    const settings = { isAsynchronous: plant === 'no-epoch', address: 'name', processes: 1 } as const;
    const { violations } = await aRound(settings, [course], plant);
    expect(violations.map((violation) => violation.rule)).toContain(rule);
  });
});
