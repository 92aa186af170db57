import type { latch } from '../../support/latch.ts';
import type { CitusFaults } from './environment/citus.ts';
import type { Fleet } from './environment/fleet.ts';
import type { Network } from './environment/network.ts';
import type { Postgres } from './environment/postgres.ts';
import type { Redis } from './environment/redis.ts';
import { now, type Disturbance, type History, type Moment } from './history.ts';
import type { Injected } from './injected.ts';
import type { Random } from './random.ts';
import type { Images } from './workload/images.ts';
import type { Receiver } from './workload/receiver.ts';
import type { Shop } from './workload/shop.ts';

/** How a round promotes standbys. */
export interface FailoverSettings {
  /** No commit waits for the standby, so the last ones may be lost. */
  readonly isAsynchronous: boolean;
  /** Database address of the nodes: one name that moves, or both servers. */
  readonly address: 'name' | 'hosts';
  /** WORKERS of the nodes that answer requests. */
  readonly processes: number;
}

/** Environment of a round: faults, processes and records. */
export interface World {
  readonly random: Random;
  readonly history: History;
  readonly injected: Injected;
  readonly fleet: Fleet;
  /** Null where the machine makes none. */
  readonly network: Network | null;
  readonly postgres: Postgres;
  /** Database of this round, in PostgreSQL. */
  readonly databaseName: string;
  /** Null where PostgreSQL is one server. */
  readonly citus: CitusFaults | null;
  readonly redis: Redis | null;
  readonly receiver: Receiver;
  readonly images: Images;
  /** Only the probes of an outage write to it. Null until it is open. */
  probed: Shop | null;
  /** Folder that all processes share. */
  readonly dataFolder: string;
  readonly clock: RoundClock;
  /** Null where no standby is promoted. */
  readonly failovers: FailoverSettings | null;
  /** State that late readers wait for. */
  readonly late: { absence: ReturnType<typeof latch> | null };
}

/**
 * How far a round is. Clients begin nothing new once it is over, and give up on what nobody answers
 * some time later.
 */
export interface RoundClock {
  readonly isOver: () => boolean;
  readonly givesUp: () => boolean;
  end(patienceMs: number): void;
}

export const roundClock = (): RoundClock => {
  let over = false;
  let giveUpAt: Moment = Infinity;
  return {
    isOver: () => over,
    givesUp: () => now() >= giveUpAt,
    end: (patienceMs) => {
      over = true;
      giveUpAt = now() + patienceMs;
    },
  };
};

const during = async <T>(list: Disturbance[], kind: string, work: () => Promise<T>): Promise<T> => {
  const one: Disturbance = { kind, from: now(), until: Infinity };
  list.push(one);
  try {
    return await work();
  } finally {
    one.until = now();
  }
};

/** Does what breaks something, and notes how long it was broken: to the end of `work`. */
export const disturb = <T>({ history }: Pick<World, 'history'>, kind: string, work: () => Promise<T>): Promise<T> =>
  during(history.disturbances, kind, work);

/** Works like `disturb`, for faults that make requests wait and may fail none. */
export const hold = <T>({ history }: Pick<World, 'history'>, kind: string, work: () => Promise<T>): Promise<T> =>
  during(history.pauses, kind, work);
