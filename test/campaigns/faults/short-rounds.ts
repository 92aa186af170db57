import { rm } from 'node:fs/promises';
import { afterAll, beforeAll } from 'vitest';

import { openEnvironment, type CampaignEnvironment } from './campaign.ts';
import { CROWDED_LIMITS, type Limits } from './checker/index.ts';
import { BRIEF } from './kinds/index.ts';
import { nothingInjected } from './injected.ts';
import type { Bug } from './node/commands.ts';
import { runRound, type RoundOptions, type RoundResult } from './round.ts';
import type { FailoverSettings } from './world.ts';

/**
 * A loaded machine takes its time: every key must be answered, however late. What never comes, and
 * what waits for Redis each time, shows at twice the limits.
 */
const PATIENT: Limits = { recovery: Infinity, failover: Infinity, answer: 16_000, notice: 10_000, rate: 0.6 };

/** The environment of all rounds of the file, which ends with its tests. */
const environmentOfThisFile = (isCitus: boolean): (() => CampaignEnvironment) => {
  let environment: CampaignEnvironment;
  beforeAll(async () => {
    environment = await openEnvironment(isCitus);
  });
  afterAll(async () => {
    await environment.close();
    await rm(environment.logs, { recursive: true, force: true });
  });
  return () => environment;
};

/** Rounds on the environment of this file, with each of the brief kinds once by default. */
export const shortRounds = (
  isCitus = false,
): {
  readonly environment: () => CampaignEnvironment;
  aRound(more: Partial<RoundOptions>): Promise<RoundResult>;
} => {
  const environment = environmentOfThisFile(isCitus);
  let rounds = 0;
  return {
    environment,
    aRound: (more) => {
      rounds += 1;
      const options = { number: rounds, seed: rounds, milliseconds: 0, short: true, queue: 'postgres', plant: null } as const;
      return runRound(environment(), {
        ...options,
        lasting: [],
        kinds: BRIEF,
        failovers: null,
        injected: nothingInjected(),
        limits: PATIENT,
        ...more,
      });
    },
  };
};

/** Every key must be answered and every failover followed, however late. */
const PATIENT_IN_FAILOVERS = { ...CROWDED_LIMITS, recovery: Infinity, failover: 30_000 };

/** Rounds of these courses on the environment of this file, with the promotions that landed. */
export const failoverRounds = () => {
  const { aRound } = shortRounds();
  return async (failovers: FailoverSettings, kinds: readonly string[], plant: Bug | null = null) => {
    const injected = nothingInjected();
    const result = await aRound({ kinds, failovers, plant, injected, limits: PATIENT_IN_FAILOVERS });
    return { ...result, landed: [...injected.kinds.keys()].filter((name) => name.includes('primary')) };
  };
};
