import { setTimeout as pause } from 'node:timers/promises';

import { now } from './history.ts';
import { sequenceOf, inject } from './kinds/index.ts';
import type { RoundOptions } from './round.ts';
import type { World } from './world.ts';

/**
 * Breaks things in turn: the lasting faults first, and then sequence by sequence until the time is over. A
 * short round has one whole sequence, however long it takes.
 */
export const breakThings = async (world: World, { milliseconds, lasting, kinds, short }: RoundOptions): Promise<void> => {
  const end = now() + milliseconds;
  const random = world.random.fork('faults');
  const breakOne = async (name: string): Promise<void> => {
    await inject({ ...world, random }, name);
    await world.fleet.heal();
    await pause(random.between(20, 300));
  };
  for (const name of lasting) await breakOne(name);
  do {
    for (const name of sequenceOf(random, kinds, short)) {
      if (!short && now() >= end) return;
      await breakOne(name);
    }
  } while (now() < end);
};
