import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { built } from '../../support/built.ts';
import { openPostgres } from './ground/postgres.ts';
import { openRedis } from './ground/redis.ts';
import { openSpares } from './ground/spares.ts';
import { now } from './history.ts';
import { KINDS } from './kinds/index.ts';
import { noLandings } from './landings.ts';
import type { Landings } from './landings.ts';
import type { Plant } from './node/orders.ts';
import { runRound } from './round.ts';
import type { Ground, RoundOptions, RoundResult } from './round.ts';

export interface CampaignOptions {
  readonly seed: number;
  readonly minutes: number;
  /** Each kind at least once, in place of their proportions: proves that all runs. */
  readonly short?: boolean;
  /** Names of kinds (see isKind); all by default. */
  readonly only?: readonly string[];
  readonly plant?: Plant;
  /** Where the queue is, round by round; both in turn by default. */
  readonly queues?: readonly RoundOptions['queue'][];
  /** 2,000 by default, as the specification of the campaign requires. */
  readonly recoveryLimit?: number;
  /** Called after each round, with the total number of rounds. */
  readonly onRound?: (round: Round, rounds: number) => void;
}

export interface Round extends RoundResult, Pick<RoundOptions, 'number' | 'seed' | 'queue'> {}

export interface CampaignResult {
  readonly landings: Landings;
  readonly rounds: readonly Round[];
  readonly seconds: number;
  /** What its processes logged; removed where nothing was violated. */
  readonly logs: string;
}

/** A round at most; the history of a longer one would only cost memory. */
const ROUND_MS = 180_000;
const SPARES = 3;

export interface Grounds extends Ground {
  close(): Promise<void>;
}

/** All that the rounds share. */
export const openGround = async (): Promise<Grounds> => {
  const logs = await realpath(await mkdtemp(join(tmpdir(), 'tenon-faults-logs-')));
  const spares = openSpares(join(built(), 'test/campaigns/faults/node/main.js'), logs, SPARES);
  const [postgres, redis] = await Promise.all([openPostgres(), openRedis()]);
  return {
    spares,
    postgres,
    redis,
    logs,
    close: async () => {
      await spares.close();
      await Promise.all([postgres.close(), redis?.close()]);
    },
  };
};

/** Runs rounds of faults, on each queue in turn, for this many minutes. */
export const runCampaign = async (options: CampaignOptions): Promise<CampaignResult> => {
  const { seed, minutes, only = Object.keys(KINDS), short = false, plant = null, recoveryLimit = 2_000, onRound } = options;
  const begun = now();
  const landings = noLandings();
  const rounds: Round[] = [];
  const ground = await openGround();
  try {
    const queues = (options.queues ?? ['postgres', 'redis']).filter((queue) => queue === 'postgres' || ground.redis);
    const count = Math.max(queues.length, Math.ceil((minutes * 60_000) / ROUND_MS));
    for (let number = 1; number <= count; number += 1) {
      const queue = queues[(number - 1) % queues.length] ?? 'postgres';
      const round = {
        number,
        seed: seed + number - 1,
        milliseconds: (minutes * 60_000) / count,
        kinds: only,
        queue,
        short,
        plant,
        landings,
        recoveryLimit,
      };
      const result = { ...(await runRound(ground, round)), number, seed: round.seed, queue };
      rounds.push(result);
      onRound?.(result, count);
    }
  } finally {
    await ground.close();
  }
  if (rounds.every(({ violations }) => violations.length === 0)) await rm(ground.logs, { recursive: true, force: true });
  return { landings, rounds, seconds: (now() - begun) / 1000, logs: ground.logs };
};
