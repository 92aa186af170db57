import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { built } from '../../support/built.ts';
import { LIMITS } from './checker/index.ts';
import { openNetwork } from './ground/network.ts';
import { openPostgres } from './ground/postgres.ts';
import { openRedis } from './ground/redis.ts';
import { openSpares } from './ground/spares.ts';
import { now } from './history.ts';
import { BRIEF, dealLasting } from './kinds/index.ts';
import { noLandings, type Landings } from './landings.ts';
import type { Plant } from './node/orders.ts';
import { runRound, type Ground, type RoundOptions, type RoundResult } from './round.ts';

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
  const processes = join(built(), 'test/campaigns/faults/node');
  const network = await openNetwork(join(processes, 'listener.js'), logs);
  const main = [process.execPath, join(processes, 'main.js')] as const;
  const spares = openSpares(network?.knowingTheName(main) ?? main, logs, SPARES);
  const [postgres, redis] = await Promise.all([openPostgres(), openRedis()]);
  return {
    spares,
    network,
    postgres,
    redis,
    logs,
    close: async () => {
      await spares.close();
      await Promise.all([postgres.close(), redis?.close()]);
      network?.close();
    },
  };
};

/** Runs rounds of faults, on each queue in turn, for this many minutes. */
export const runCampaign = async (options: CampaignOptions): Promise<CampaignResult> => {
  const { seed, minutes, only, short = false, plant = null, onRound } = options;
  const begun = now();
  const landings = noLandings();
  const rounds: Round[] = [];
  const ground = await openGround();
  try {
    const queues = (options.queues ?? ['postgres', 'redis']).filter((queue) => queue === 'postgres' || ground.redis);
    const count = Math.max(queues.length, Math.ceil((minutes * 60_000) / ROUND_MS));
    const ofRounds = Array.from({ length: count }, (_, at) => queues[at % queues.length] ?? 'postgres');
    const lasting = only ? [] : dealLasting(ofRounds);
    for (const [at, queue] of ofRounds.entries()) {
      const number = at + 1;
      const round = {
        number,
        seed: seed + number - 1,
        milliseconds: (minutes * 60_000) / count,
        lasting: lasting[at] ?? [],
        kinds: only ?? BRIEF,
        queue,
        short,
        plant,
        landings,
        limits: LIMITS,
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
