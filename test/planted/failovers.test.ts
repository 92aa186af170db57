import { describe, expect, it } from 'vitest';

import type { Rule } from '../campaigns/faults/checker/violation.ts';
import type { Bug } from '../campaigns/faults/node/commands.ts';
import { failoverRounds } from '../campaigns/faults/short-rounds.ts';

const aRound = failoverRounds();

const PLANTED: readonly (readonly [Bug, Rule, string])[] = [
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
