import { describe, expect, it } from 'vitest';

import { redisAvailable } from '../../support/redis.ts';
import type { Rule } from './checker/violation.ts';
import type { Bug } from './node/commands.ts';
import { shortRounds } from './short-rounds.ts';

/** A bug, what it breaks, and the faults that bring it to light. */
export type Expected = readonly [plant: Bug, rule: Rule, kinds: readonly string[]];

/** Faults of this kind, one after the other. */
export const times = (length: number, kind: string): string[] => Array.from({ length }, () => kind);

export const AFTER_COMMIT = 'kill-at-point=commit of write:after';

const needsRedis = (kinds: readonly string[]): boolean => kinds.includes('hang-redis');

/** Tests that the checker finds each of the bugs. Several files share them, so that they run side by side. */
export const findsPlanted = (planted: readonly Expected[], milliseconds = 4_000, isCitus = false): void => {
  const { aRound } = shortRounds(isCitus);
  describe('the checker finds a planted bug', () => {
    it.each(planted.filter(([, , kinds]) => redisAvailable || !needsRedis(kinds)))(
      '%s: %s',
      // On a loaded machine too little may happen within a round to show the bug: up to two more rounds look again.
      { timeout: 300_000, retry: 2 },
      async (plant, rule, kinds) => {
        const queue = needsRedis(kinds) ? 'redis' : 'postgres';
        const { violations } = await aRound({ plant, kinds, milliseconds, queue });
        expect(violations.map((violation) => violation.rule)).toContain(rule);
      },
    );
  });
};
