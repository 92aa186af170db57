import { setTimeout as pause } from 'node:timers/promises';

import { latch } from '../../../support/latch.ts';
import type { Failover } from '../environment/server.ts';
import { now, type FailoverHistory } from '../history.ts';
import { named } from '../../../support/query-on.ts';
import { query } from '../query.ts';
import { until } from '../until.ts';
import { firstWrites } from '../workload/first-writes.ts';
import { disturb, type World } from '../world.ts';
import type { Kind } from './kind.ts';

// Each begins with a primary and its standby, and ends with the promoted server alone. The next one makes a standby of it.

type Heads = readonly { readonly store: string; readonly head: number }[];

interface Scene {
  readonly world: World;
  readonly failover: Failover;
  readonly one: FailoverHistory;
  /** The end of each store's feed on the old primary, when it was last asked. */
  heads: Heads;
}

interface Course {
  /** Name in the report. */
  readonly name: string;
  /** All before the promotion. Whether it came about. */
  readonly strike: (scene: Scene) => Promise<boolean>;
}

/** For this long no server takes writes, so each answer comes from a standby. */
const EMPTY_MS = 700;
const STRIKES_MS = 5_000;
/** The barrier stops every node for this long, and its clients repeat what they sent. */
const RECOVERED_MS = 2_500;
const MISSING_MS = 3_000;
const LEFT_MS = 30_000;
const REGROWN_MS = 30_000;

const on = <Row extends object>({ world }: Scene, url: string, sql: string): Promise<Row[]> =>
  query<Row>(named(url, world.databaseName), sql);

const WAITING = `SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'`;
const HEADS = 'SELECT store_id AS store, head::int FROM feed_heads';
/** Where the feed of each store continues on the promoted server. */
const BEGUN = `SELECT f.store_id AS store, f.began::int AS head FROM feed_epochs f JOIN epochs e ON e.id = f.epoch
  WHERE e.number = (SELECT max(number) FROM epochs)`;
const LAGS = 'SELECT FROM (SELECT) one WHERE pg_last_wal_receive_lsn() > pg_last_wal_replay_lsn()';
/** A commit that waits for its standby keeps its process, also after its client has gone. Nodes ask every server which one is the primary. */
const NODES = `SELECT concat_ws(' ', application_name, state, wait_event, now() - state_change, left(query, 80)) AS what FROM pg_stat_activity WHERE application_name ~ '^tenon' AND application_name <> 'tenon primary' AND backend_type = 'client backend'
  AND datname = current_database() AND wait_event IS DISTINCT FROM 'SyncRep'`;

/** How many events of all stores the first have that the others lack. */
const beyond = (heads: Heads, others: Heads): number =>
  heads.reduce((sum, { store, head }) => sum + Math.max(0, head - (others.find((one) => one.store === store)?.head ?? 0)), 0);

/** From when on a write that is acknowledged may be missing on the standby. */
const noteSafe = async (scene: Scene): Promise<void> => {
  const { failover, one } = scene;
  one.safeAt = now();
  const [{ lsn } = { lsn: '' }] = await on<{ lsn: string }>(
    scene,
    failover.primaryUrl,
    'SELECT pg_current_wal_flush_lsn() AS lsn',
  );
  const HAS_IT = `SELECT FROM pg_stat_replication WHERE flush_lsn >= '${lsn}'`;
  const isThere = await until(async () => (await on(scene, failover.primaryUrl, HAS_IT)).length > 0, STRIKES_MS);
  if (!isThere) throw new Error('the standby does not follow the primary');
};

/** Without a commit that waits, the standby misses the last events. */
const loseTail = async (scene: Scene): Promise<boolean> => {
  const { world, failover } = scene;
  if (!world.failovers?.isAsynchronous) return true;
  await noteSafe(scene);
  await failover.cutReplication();
  const missing = async (): Promise<number> =>
    beyond(await on(scene, failover.primaryUrl, HEADS), await on(scene, failover.standbyUrl, HEADS));
  const isLost = await until(async () => (await missing()) > 0, STRIKES_MS, 50);
  await pause(world.random.between(200, 1_000));
  return isLost;
};

const isWaitedFor = (scene: Scene, count: number): Promise<boolean> =>
  until(async () => (await on(scene, scene.failover.primaryUrl, WAITING)).length >= count, STRIKES_MS, 20);

/** The last moment of the old primary. Late readers go away with what they have read of it. */
const takeLeave = async (scene: Scene): Promise<void> => {
  scene.world.late.absence = latch();
  scene.heads = await on(scene, scene.failover.primaryUrl, HEADS);
};

const lose = async (scene: Scene, how: () => Promise<void>): Promise<void> => {
  await takeLeave(scene);
  await how();
  await scene.failover.moveName();
  scene.one.goneAt = now();
};

const die = (scene: Scene, signal: NodeJS.Signals): Promise<void> => lose(scene, () => scene.failover.end(signal));

/** A switch-over returns, and so has two failovers. */
export const SWITCH_OVER = 'switch-over';

const COURSES = {
  'promote-dead': {
    name: 'the primary dies',
    strike: async (scene) => {
      const landed = await loseTail(scene);
      await die(scene, scene.world.random.pick(['SIGKILL', 'SIGQUIT'] as const));
      return landed;
    },
  },
  'promote-fenced': {
    name: 'the primary lives, and nobody reaches it',
    strike: async (scene) => {
      const landed = await loseTail(scene);
      await lose(scene, scene.failover.fence);
      return landed;
    },
  },
  'promote-unfenced': {
    name: 'the primary lives, and every node reaches it',
    strike: async (scene) => {
      await noteSafe(scene);
      return true;
    },
  },
  [SWITCH_OVER]: {
    name: 'the primary stops in order',
    strike: async (scene) => {
      await die(scene, 'SIGINT');
      // The primary waits for its standby.
      scene.one.safeAt = scene.one.goneAt;
      return true;
    },
  },
  'standby-lags': {
    name: 'the primary dies, and its standby has not applied the last writes',
    strike: async (scene) => {
      const { world, failover } = scene;
      await on(scene, failover.standbyUrl, 'SELECT pg_wal_replay_pause()');
      const landed = await until(async () => (await on(scene, failover.standbyUrl, LAGS)).length > 0, STRIKES_MS, 20);
      await pause(world.random.between(500, 1_500));
      await noteSafe(scene);
      await die(scene, 'SIGKILL');
      return landed;
    },
  },
  'standby-missing': {
    name: 'the standby is away for a while, and then the primary dies',
    strike: async (scene) => {
      const { world, failover, one } = scene;
      if (world.failovers?.isAsynchronous) {
        const isLost = await loseTail(scene);
        await die(scene, 'SIGKILL');
        return isLost;
      }
      await failover.cutReplication();
      const landed = await isWaitedFor(scene, 1);
      const from = now();
      await pause(MISSING_MS);
      one.missing = { from, until: now() };
      await failover.restoreReplication();
      await until(async () => (await on(scene, failover.primaryUrl, WAITING)).length === 0, STRIKES_MS, 50);
      await pause(world.random.between(0, 500));
      await die(scene, 'SIGKILL');
      return landed;
    },
  },
  'dies-in-wait': {
    name: 'the primary crashes while commits wait for the standby, returns, and is lost',
    strike: async (scene) => {
      const { world, failover } = scene;
      await failover.cutReplication();
      const landed = await isWaitedFor(scene, 3);
      // By then every client waits for such a commit. The nodes give up a second later.
      await pause(1_000);
      await world.postgres.crash();
      await pause(RECOVERED_MS);
      await die(scene, 'SIGKILL');
      return landed;
    },
  },
} satisfies Readonly<Record<string, Course>>;

/** An old primary that nobody stopped: every node leaves it by itself. */
const leave = async (scene: Scene): Promise<void> => {
  const { failover, one } = scene;
  const isLeft = await until(
    async () => {
      one.stayed = (await on<{ what: string }>(scene, failover.primaryUrl, NODES)).map(({ what }) => what);
      return one.stayed.length === 0;
    },
    LEFT_MS,
    50,
  );
  await takeLeave(scene);
  if (isLeft) one.leftAt = now();
};

const promote = async (scene: Scene): Promise<void> => {
  const { world, failover, one } = scene;
  const lives = one.goneAt === Infinity;
  if (!lives) await pause(EMPTY_MS);
  one.promotedAt = now();
  one.acceptedAt = await failover.promote();
  one.recoveries.push(...(await firstWrites(world, named(failover.standbyUrl, world.databaseName), one.acceptedAt)));
  if (lives) await leave(scene);
  else one.leftAt = one.goneAt;
};

/** Late readers return once other events have the positions of those that are lost. */
const comeBack = async (scene: Scene): Promise<void> => {
  const { world, failover, one, heads } = scene;
  // Events that the standby got after `heads` were read are not lost, and no other event has their position.
  const hasRegrown = async (): Promise<boolean> => {
    const [present, begun] = [
      await on<Heads[number]>(scene, failover.standbyUrl, HEADS),
      await on<Heads[number]>(scene, failover.standbyUrl, BEGUN),
    ];
    const isBehind = ({ store, head }: Heads[number]): boolean =>
      present.some((other) => other.store === store && other.head > head);
    return begun.length === heads.length && heads.every(isBehind);
  };
  const isAgain = one.isAsynchronous && (await until(hasRegrown, REGROWN_MS, 100));
  if (isAgain) one.lostPlaces = beyond(heads, await on(scene, failover.standbyUrl, BEGUN));
  world.late.absence?.open();
};

const failOver = async (world: World, course: string, rejoins = false): Promise<string[]> => {
  const { name, strike } = COURSES[course as keyof typeof COURSES];
  const isAsynchronous = world.failovers?.isAsynchronous ?? false;
  const failover = await world.postgres.prepareFailover({ commits: isAsynchronous ? 'local' : 'on', rejoins });
  const never = Infinity;
  const times = { safeAt: never, goneAt: never, promotedAt: never, acceptedAt: never, leftAt: never };
  const one: FailoverHistory = { course, isAsynchronous, ...times, stayed: [], missing: null, recoveries: [], lostPlaces: 0 };
  const scene: Scene = { world, failover, one, heads: [] };
  world.history.failovers.push(one);
  try {
    const landed = await disturb(world, name, async () => {
      const struck = await strike(scene);
      await promote(scene);
      return struck;
    });
    await comeBack(scene);
    return landed ? [name] : [];
  } finally {
    world.late.absence?.open();
    await failover.end('SIGKILL');
  }
};

const kindOf = (course: string): Kind => ({
  weight: 1,
  needs: 'failovers',
  inject: async (world) => {
    const first = await failOver(world, course);
    // The server that ended in order becomes the standby, and then the primary again.
    return course === SWITCH_OVER ? [...first, ...(await failOver(world, course, true))] : first;
  },
});

export const failoverKinds: Readonly<Record<string, Kind>> = Object.fromEntries(
  Object.keys(COURSES).map((course) => [course, kindOf(course)]),
);
