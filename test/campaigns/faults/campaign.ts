import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { built } from '../../support/built.ts';
import { CROWDED_LIMITS, LIMITS } from './checker/index.ts';
import { openCitus } from './environment/citus.ts';
import { openNetwork } from './environment/network.ts';
import { openPostgres } from './environment/postgres.ts';
import { openRedis } from './environment/redis.ts';
import { openSpares } from './environment/spares.ts';
import { now } from './history.ts';
import { BRIEF, COURSES, spreadLasting, ON_CITUS, SWITCH_OVER } from './kinds/index.ts';
import { nothingInjected, type Injected } from './injected.ts';
import type { Bug } from './node/commands.ts';
import { runRound, type Environment, type RoundOptions, type RoundResult } from './round.ts';

export interface CampaignOptions {
  readonly seed: number;
  /** Names of kinds (see isKind); all by default. */
  readonly only?: readonly string[];
  readonly plant?: Bug | null;
  /** Where the queue is, round by round; both in turn by default. */
  readonly queues?: readonly RoundOptions['queue'][];
  /** Called after each round, with the total number of rounds. */
  readonly onRound?: (round: Round, rounds: number) => void;
}

export interface FaultOptions extends CampaignOptions {
  readonly minutes: number;
  /** Each kind at least once, in place of their proportions: proves that all runs. */
  readonly short?: boolean;
  /** On a coordinator with two workers, which break too. */
  readonly isCitus?: boolean;
}

export interface FailoverOptions extends CampaignOptions {
  /** At least this many failovers. */
  readonly failovers: number;
  readonly isAsynchronous: boolean;
}

/** Options that differ from round to round. */
type Plan = Pick<RoundOptions, 'milliseconds' | 'lasting' | 'kinds' | 'queue' | 'short' | 'failovers'>;

export interface Round extends RoundResult, Pick<RoundOptions, 'number' | 'seed' | 'queue'> {
  /** Where its queue is, and how its nodes reach the database. */
  readonly environment: string;
}

const environmentOf = ({ queue, failovers }: Plan): string => {
  const address = failovers?.address === 'hosts' ? 'two hosts' : 'one name';
  return [`queue on ${queue}`, ...(failovers ? [address, `WORKERS=${failovers.processes}`] : [])].join(', ');
};

export interface CampaignResult {
  readonly injected: Injected;
  readonly rounds: readonly Round[];
  readonly seconds: number;
  /** Log folder of its processes; removed when nothing was violated. */
  readonly logs: string;
}

/** A round at most; the history of a longer one would only cost memory. */
const ROUND_MS = 180_000;
const SPARES = 3;

export interface CampaignEnvironment extends Environment {
  close(): Promise<void>;
}

/** All that the rounds share. */
export const openEnvironment = async (isCitus = false): Promise<CampaignEnvironment> => {
  const logs = await realpath(await mkdtemp(join(tmpdir(), 'tenon-faults-logs-')));
  const processes = join(built(), 'test/campaigns/faults/node');
  const network = await openNetwork(join(processes, 'listener.js'), logs);
  const main = [process.execPath, join(processes, 'main.js')] as const;
  const spares = openSpares(network?.knowingTheName(main) ?? main, logs, SPARES);
  const [postgres, redis] = await Promise.all([isCitus ? openCitus() : openPostgres(), openRedis()]);
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

const run = async (
  { seed, plant = null, onRound, ...options }: CampaignOptions & Pick<FaultOptions, 'isCitus'>,
  plan: (queues: readonly RoundOptions['queue'][]) => readonly Plan[],
): Promise<CampaignResult> => {
  const begun = now();
  const injected = nothingInjected();
  const rounds: Round[] = [];
  const environment = await openEnvironment(options.isCitus);
  try {
    const plans = plan((options.queues ?? ['postgres', 'redis']).filter((queue) => queue === 'postgres' || environment.redis));
    for (const [at, one] of plans.entries()) {
      const round = {
        ...one,
        number: at + 1,
        seed: seed + at,
        plant,
        injected,
        limits: one.failovers || options.isCitus ? CROWDED_LIMITS : LIMITS,
      };
      const { number, queue } = round;
      const result = {
        ...(await runRound(environment, round)),
        number,
        seed: round.seed,
        queue,
        environment: environmentOf(one),
      };
      rounds.push(result);
      onRound?.(result, plans.length);
    }
  } finally {
    await environment.close();
  }
  if (rounds.every(({ violations }) => violations.length === 0)) await rm(environment.logs, { recursive: true, force: true });
  return { injected, rounds, seconds: (now() - begun) / 1000, logs: environment.logs };
};

/** Runs rounds of faults, on each queue in turn, for this many minutes. */
export const runCampaign = (options: FaultOptions): Promise<CampaignResult> =>
  run(options, (queues) => {
    const { minutes, only, short = false, isCitus = false } = options;
    const count = Math.max(queues.length, Math.ceil((minutes * 60_000) / ROUND_MS));
    const ofRounds = Array.from({ length: count }, (_, at) => queues[at % queues.length] ?? 'postgres');
    const lasting = only || isCitus ? [] : spreadLasting(ofRounds);
    const milliseconds = (minutes * 60_000) / count;
    return ofRounds.map((queue, at) => {
      return {
        milliseconds,
        lasting: lasting[at] ?? [],
        kinds: only ?? (isCitus ? ON_CITUS : BRIEF),
        queue,
        short,
        failovers: null,
      };
    });
  });

/** Only what waits for a standby can die in that wait. */
export const coursesOf = (isAsynchronous: boolean): readonly string[] =>
  COURSES.filter((course) => !isAsynchronous || course !== 'dies-in-wait');

/**
 * Runs rounds in which standbys are promoted: each course once in a round. Eight rounds have each combination of a queue, an
 * address of the database and a number of processes.
 */
export const runFailovers = (options: FailoverOptions): Promise<CampaignResult> =>
  run(options, (queues) => {
    const { failovers, isAsynchronous, plant } = options;
    const kinds = options.only ?? coursesOf(isAsynchronous);
    const perRound = kinds.length + kinds.filter((kind) => kind === SWITCH_OVER).length;
    return Array.from({ length: Math.ceil(failovers / perRound) }, (_, at) => ({
      milliseconds: 0,
      lasting: [],
      kinds,
      short: true,
      queue: queues[at % queues.length] ?? 'postgres',
      failovers: {
        isAsynchronous,
        address: (at + (at >> 1)) % 2 === 0 ? 'name' : 'hosts',
        // A bug is planted in the first process of a node alone.
        processes: plant ? 1 : 1 + ((at + (at >> 2)) % 2),
      },
    }));
  });
