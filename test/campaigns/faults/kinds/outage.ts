import { setTimeout as pause } from 'node:timers/promises';

import { now } from '../history.ts';
import { isSuccess, PROBES, type Outage } from '../outage.ts';
import { until } from '../until.ts';
import { startProbes } from '../workload/probes.ts';
import { disturb, type World } from '../world.ts';

/**
 * How long all is well before the outage: connections are in use, and before one of Redis nodes that
 * have just started have reached the rate that it is compared with.
 */
const BEFORE_MS = { PostgreSQL: 5_000, Redis: 18_000 } as const;
/** A recovery that takes longer is late. */
const RECOVERY_MS = 8_000;
/** From the beginning to the end at least: what hangs then was not answered in time. */
const LEAST_MS = 15_000;

/** True when every node has answered every kind of request since then, with success. */
const hasRecovered = ({ probes, returnedAt }: Outage, nodes: readonly number[]): boolean => {
  const answered = new Set(
    probes.filter((probe) => probe.sentAt >= returnedAt && isSuccess(probe)).map(({ name, node }) => `${name} ${node}`),
  );
  return nodes.every((node) => PROBES.every((name) => answered.has(`${name} ${node}`)));
};

/** The server is there again: gives the nodes the time to notice it. */
export const comeBack = async (world: World, outage: Outage): Promise<void> => {
  outage.returnedAt = outage.isHidden ? outage.from : now();
  const nodes = world.fleet.apis().map(({ number }) => number);
  const least = outage.from + LEAST_MS;
  const end = Math.max(least, outage.returnedAt + (outage.isHidden ? LEAST_MS : 0) + RECOVERY_MS);
  await until(() => now() >= least && hasRecovered(outage, nodes), end - now(), 50);
};

/**
 * Runs an outage, under requests of every kind to every node, which are judged if it landed. `work`
 * reports the landing, and sets the times.
 */
export const duringOutage = async (
  world: World,
  { kind, of }: Pick<Outage, 'kind' | 'of'>,
  work: (outage: Outage) => Promise<boolean>,
): Promise<readonly string[]> => {
  if (!world.probed) throw new Error('the round has no shop for probes');
  const probing = startProbes(world, world.probed);
  await pause(BEFORE_MS[of]);
  const { probes } = probing;
  const outage: Outage = { kind, of, from: now(), returnedAt: Infinity, isHidden: false, until: Infinity, probes };
  try {
    const landed = await disturb(world, kind, () => work(outage));
    outage.until = now();
    if (landed) world.history.outages.push(outage);
    return landed ? [kind] : [];
  } finally {
    await probing.stop();
  }
};
