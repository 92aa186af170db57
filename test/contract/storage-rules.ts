import { describe, expect, it } from 'vitest';

import { leftOut } from './left-out.ts';
import { crashFaults } from './rules/crash-rules.ts';
import { foldingFaults, refusalFaults } from './rules/identity-rules.ts';
import { nulFaults } from './rules/nul-rules.ts';
import { outageFaults } from './rules/outage-rules.ts';
import type { RulesWorld, RulesWorlds } from './rules/rules-world.ts';
import { leaksBetweenStores } from './rules/store-rules.ts';
import { caughtFailures, isolationFaults, waitingFaults } from './rules/transaction-rules.ts';

/** Rules of every storage, each with what finds its faults. */
export const RULES: readonly (readonly [rule: string, faultsOf: (world: RulesWorld) => Promise<readonly string[]>])[] = [
  ['keeps every method to the store that it is given, also where two stores have the same ids', leaksBetweenStores],
  ['shows a transaction its own rows, and others none of them before its commit', isolationFaults],
  ['keeps nothing of a transaction with a failure that its work caught', caughtFailures],
  ['ends transactions that wait for each other, and those in the work of another one', (world) => waitingFaults(world)],
  ['refuses U+0000 in each text of each write', nulFaults],
  ['refuses a token for the first reason in the order of the port', refusalFaults],
  ['folds letters beyond ASCII where it searches in any case', foldingFaults],
  ['runs work again that it refused for a conflict, three times, and then it is an outage', outageFaults],
];

/** The rules that all ports have, over examples of each of their methods. */
export const storageRulesContract = ({ name, promises, rules, durable }: RulesWorlds): void => {
  describe(`Storage rules on ${name}`, () => {
    it.each(RULES)('%s', async (_, faultsOf) => {
      const world = await rules();
      try {
        expect(await faultsOf(world)).toEqual([]);
      } finally {
        await world.close();
      }
    });

    it('keeps what it acknowledged, whole, after crashes', async ({ task, skip }) => {
      if (!promises.has('durable')) return leftOut(task, skip, 'not promised', 'durable');
      if (!durable) return leftOut(task, skip, 'not written', 'durable');
      const world = await durable();
      try {
        expect(await crashFaults(world)).toEqual([]);
      } finally {
        await world.close();
      }
    });
  });
};
