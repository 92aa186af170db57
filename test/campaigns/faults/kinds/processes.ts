import { setTimeout as pause } from 'node:timers/promises';

import { isFrozen } from '../../../support/freeze.ts';
import type { Node, Slot } from '../environment/fleet.ts';
import { now } from '../history.ts';
import { count } from '../injected.ts';
import type { Action } from '../node/commands.ts';
import { POINTS, type Role } from '../node/points.ts';
import { until } from '../until.ts';
import { disturb, type World } from '../world.ts';
import type { Kind } from './kind.ts';

/** A point that nobody comes to in this time is left. */
const POINT_MS = 3_000;
const HOUR_MS = 3_600_000;

interface Place {
  readonly role: Role;
  readonly point: string;
}

/** The point that is asked for, or any. */
const placeOf = ({ random }: World, where: string | undefined): Place => {
  const role =
    where === undefined ? random.pick<Role>(['api', 'worker']) : POINTS.api.some((point) => point === where) ? 'api' : 'worker';
  return { role, point: where ?? random.pick(POINTS[role]) };
};

interface Target {
  readonly slot: Slot;
  readonly node: Node;
}

/**
 * Arms the point in all processes of the role; answers those that came to it before all were
 * disarmed.
 */
const reach = async ({ fleet, random }: World, { role, point }: Place, action: Action): Promise<Target[]> => {
  const passes = Number(random.chance(0.3));
  const targets = fleet.slotsOf(role).flatMap((slot): Target[] => (slot.node ? [{ slot, node: slot.node }] : []));
  for (const { node } of targets) {
    fleet.excuse(node, action === 'SIGKILL');
    node.arm({ point, action, passes });
  }
  await until(() => targets.some(({ node }) => node.hasReached()), POINT_MS, 5);
  await Promise.all(targets.map(({ node }) => node.disarm()));
  for (const { node } of targets) if (!node.hasReached()) fleet.excuse(node, false);
  return targets.filter(({ node }) => node.hasReached());
};

/** Ends processes at a point and starts them again. */
const killAtPoint = async (world: World, where?: string): Promise<readonly string[]> => {
  const place = placeOf(world, where);
  const reached = await reach(world, place, 'SIGKILL');
  if (reached.length === 0) return [];
  const signals = await disturb(world, `SIGKILL at ${place.point}`, () =>
    Promise.all(
      reached.map(async ({ slot, node }) => {
        const { signal } = await node.ended;
        await world.fleet.start(slot);
        return signal;
      }),
    ),
  );
  const landed = signals.filter((signal) => signal === 'SIGKILL').map(() => 'SIGKILL at a point');
  count(world.injected.points, place.point, landed.length);
  return landed;
};

const liveSlot = (world: World): Slot | undefined => world.random.shuffled(world.fleet.slots).find(({ node }) => node !== null);

/**
 * Ends one to three of the four processes at a random moment, all at the same time, and starts them
 * again.
 */
const killAtRandom = async (world: World): Promise<readonly string[]> => {
  const { random, fleet } = world;
  const slots = random.shuffled(fleet.slots.filter(({ node }) => node !== null)).slice(0, 1 + random.below(3));
  await pause(random.between(0, 200));
  return disturb(world, 'SIGKILL at random', async () => {
    const signals = await Promise.all(
      slots.map(async (slot) => {
        const { signal } = await fleet.end(slot, 'SIGKILL');
        await fleet.start(slot);
        return signal;
      }),
    );
    return signals.filter((signal) => signal === 'SIGKILL').map(() => 'SIGKILL at random');
  });
};

/** Stops a process for a while: shorter or longer than others wait for it. */
const freeze = async (node: Node, milliseconds: number): Promise<boolean> => {
  node.kill('SIGSTOP');
  const landed = await until(() => isFrozen(node.pid), 1_000, 2);
  try {
    await pause(milliseconds);
  } finally {
    node.kill('SIGCONT');
  }
  return landed;
};

const stopForAWhile = async (world: World): Promise<readonly string[]> => {
  const slot = liveSlot(world);
  if (!slot?.node) return [];
  const { node, role } = slot;
  // A removal waits five seconds for a worker and then cuts it off.
  const milliseconds = role === 'worker' && world.random.chance(0.4) ? 7_000 : world.random.between(300, 2_500);
  const landed = await disturb(world, 'SIGSTOP', () => freeze(node, milliseconds));
  return landed ? ['SIGSTOP'] : [];
};

const stopAtPoint = async (world: World, where?: string): Promise<readonly string[]> => {
  const place = placeOf(world, where);
  const stopped = await reach(world, place, 'SIGSTOP');
  if (stopped.length === 0) return [];
  return disturb(world, `SIGSTOP at ${place.point}`, async () => {
    await pause(world.random.between(300, place.role === 'worker' ? 7_000 : 2_500));
    for (const { node } of stopped) node.kill('SIGCONT');
    return stopped.map(() => 'SIGSTOP at a point');
  });
};

/**
 * Starts a process again with a clock that is an hour ahead or behind until it ends. The kill
 * before it is counted by another kind.
 */
const skewClock = async (world: World): Promise<readonly string[]> => {
  const slot = liveSlot(world);
  if (!slot) return [];
  return disturb(world, 'clock', async () => {
    slot.clockOffsetMs = world.random.pick([-HOUR_MS, HOUR_MS].filter((offset) => offset !== slot.clockOffsetMs));
    await world.fleet.end(slot, 'SIGKILL');
    await world.fleet.start(slot);
    return ['clock off by an hour'];
  });
};

/** SIGTERM to each process in turn, a new one after each, as a rolling deployment does. */
const roll = async (world: World): Promise<readonly string[]> => {
  const landed: string[] = [];
  for (const slot of world.fleet.slots) {
    const { node } = slot;
    if (!node) continue;
    const one = { node: node.number, from: now(), until: Infinity, code: null as number | null };
    world.history.terminations.push(one);
    const { code } = await world.fleet.end(slot, 'SIGTERM');
    one.code = code;
    one.until = now();
    await world.fleet.start(slot);
    landed.push('SIGTERM');
  }
  return landed;
};

export const processKinds: Readonly<Record<string, Kind>> = {
  'kill-at-point': { weight: 18, inject: killAtPoint },
  'kill-at-random': { weight: 8, inject: killAtRandom },
  stop: { weight: 1, inject: stopForAWhile },
  'stop-at-point': { weight: 1, inject: stopAtPoint },
  clock: { weight: 1, inject: skewClock },
  roll: { weight: 0.5, inject: roll },
};
