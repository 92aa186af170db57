import { join } from 'node:path';

import { breakThings } from './break-things.ts';
import { missingOf } from './checker/deliveries.ts';
import { executionsOf, groupBy } from './checker/events.ts';
import { check, type Limits, type Verdict } from './checker/index.ts';
import { openFleet } from './environment/fleet.ts';
import type { Network } from './environment/network.ts';
import type { Postgres } from './environment/postgres.ts';
import type { Redis } from './environment/redis.ts';
import type { Spares } from './environment/spares.ts';
import { emptyHistory, now } from './history.ts';
import type { Injected } from './injected.ts';
import type { Bug } from './node/commands.ts';
import { seeded } from './random.ts';
import { openImports, pendingEvents, readEvents, readRows } from './rows.ts';
import { ADMIN_TOKEN } from '../kit/merchant.ts';
import { openImages } from './workload/images.ts';
import { runWorkload } from './workload/index.ts';
import { openReceiver } from './workload/receiver.ts';
import { openShop } from './workload/shop.ts';
import { slowWrites } from './workload/slow-writes.ts';
import { openWalkers } from './workload/walks.ts';
import { drained } from './until.ts';
import { roundClock, type FailoverSettings, type World } from './world.ts';
import { CAMPAIGN_SETTINGS } from '../../support/campaign-settings.ts';

export interface Environment {
  readonly spares: Spares;
  readonly network: Network | null;
  readonly postgres: Postgres;
  readonly redis: Redis | null;
  /** Where the processes log, and keep their files. */
  readonly logs: string;
}

export interface RoundOptions {
  /** No two rounds on one environment have the same. */
  readonly number: number;
  readonly seed: number;
  readonly milliseconds: number;
  /** Each kind at least once, in place of their proportions. */
  readonly short: boolean;
  /** Names of KINDS: each once, at first. */
  readonly lasting: readonly string[];
  /** Names of KINDS: in sequences. */
  readonly kinds: readonly string[];
  readonly queue: 'postgres' | 'redis';
  readonly plant: Bug | null;
  /** How standbys are promoted, for kinds that do that. */
  readonly failovers: FailoverSettings | null;
  readonly injected: Injected;
  readonly limits: Limits;
}

export interface RoundResult extends Verdict {
  /** Milliseconds from the end of the last fault to the last delivery that was owed. */
  readonly settledIn: number;
}

/** Work without an answer by then is stuck. */
const PATIENCE_MS = 30_000;
/**
 * A worker that was killed is missed after seven seconds, a turn that failed is tried again within
 * five, and what was forgotten by the sweep.
 */
const IMPORTED_MS = 90_000;
/** Without an arrival. The sweep comes every 20 s, and asks for what was forgotten; a retry may follow. */
const DELIVERED_MS = 90_000;

const SHOPS = 3;
const PROBED = { products: 24, apps: 1 };
const SETTINGS = {
  ...CAMPAIGN_SETTINGS,
  ADMIN_TOKEN,
  WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
  // The number of tries is the default, without the hours between them.
  WEBHOOK_RETRY_SECONDS: '0,1,1,1,1,2,2,2,4,4',
  MEDIA_RETRY_SECONDS: '1,1,2,2',
  LOG_LEVEL: 'warn',
};

/**
 * Waits until all that is owed has arrived, or until nothing of it will. How long it took, in
 * milliseconds.
 */
const settle = async (world: World, databaseUrl: string): Promise<number> => {
  const begun = now();
  await drained(() => openImports(databaseUrl), IMPORTED_MS, 250);
  const events = await readEvents(databaseUrl);
  const executions = groupBy(executionsOf(events), ({ mark }) => mark);
  await drained(() => missingOf(world.history, events, executions).missing.length, DELIVERED_MS, 500);
  return now() - begun;
};

/**
 * Runs a round: a new database, processes and clients; faults for the given time; then a wait for
 * all work, and the check.
 */
export const runRound = async (environment: Environment, options: RoundOptions): Promise<RoundResult> => {
  const { spares, network, postgres } = environment;
  const redis = options.queue === 'redis' ? environment.redis : null;
  const random = seeded(options.seed);
  const history = emptyHistory();
  const databaseName = `round_${options.number}`;
  const databaseUrl = await postgres.createDatabase(databaseName);
  const receiver = await openReceiver(history.deliveries, random.fork('receiver'));
  const images = await openImages();
  const dataFolder = join(environment.logs, databaseName);
  const { failovers } = options;
  const settings = {
    ...SETTINGS,
    DATA_DIR: dataFolder,
    ...(redis && { REDIS_URL: redis.url }),
    ...(failovers && { WORKERS: String(failovers.processes) }),
  };
  const fleet = await openFleet(['api', 'api', 'worker', 'worker'], {
    spares,
    network,
    settings,
    databaseUrl,
    hosts: failovers?.address === 'hosts' ? postgres.bothUrl(databaseName) : null,
    plant: options.plant,
    history,
  });
  let result: RoundResult;
  try {
    const clock = roundClock();
    const { injected } = options;
    const world: World = {
      probed: null,
      random,
      history,
      injected,
      fleet,
      network,
      postgres,
      databaseName,
      citus: postgres.citus,
      redis,
      receiver,
      images,
      dataFolder,
      clock,
      failovers,
      late: { absence: null },
    };
    const shops = [];
    for (let shop = 0; shop < SHOPS; shop += 1) {
      shops.push(await openShop(world, { products: 24, apps: 2, isOrdered: shop > 0 }));
    }
    world.probed = await openShop(world, PROBED);
    const walkers = openWalkers(world, shops);
    const working = Promise.all([
      runWorkload(world, shops),
      slowWrites(world, databaseUrl, shops),
      ...walkers.map(({ walking }) => walking),
    ]);
    await Promise.race([breakThings(world, options), working.then(() => undefined)]);
    clock.end(PATIENCE_MS);
    await working;
    const settledIn = await settle(world, databaseUrl);
    await drained(() => pendingEvents(databaseUrl), DELIVERED_MS, 250);
    for (const walker of walkers) await walker.finish();
    const rows = await readRows(world, databaseUrl, shops);
    result = { ...check(history, rows, options.limits), settledIn };
  } finally {
    await fleet.close();
    await receiver.close();
    await images.close();
  }
  // After a round that failed there may be no server.
  await postgres.dropDatabase(databaseName);
  return result;
};
