import { TestRunner } from 'vitest';

import type { Transaction } from '../../src/domain/ports/transaction.ts';
import { leftOut } from './left-out.ts';

/** Makes all members optional, at any depth. */
export type SoFar<T> = T extends (...given: never[]) => unknown
  ? T
  : T extends object
    ? { readonly [Key in keyof T]?: SoFar<T[Key]> }
    : T;

/** A hook of a suite needs it. The hooks of hooks.ts skip the tests of the suite. */
export class NotThereYet extends Error {
  readonly path: string;

  constructor(path: string) {
    super(`There is no ${path} yet.`);
    this.path = path;
  }
}

const skipTest = (path: string): never => {
  const test = TestRunner.getCurrentTest();
  if (test?.type !== 'test') throw new NotThereYet(path);
  return leftOut(test, test.context.skip, 'not written', path);
};

const isTransaction = (value: object): value is Transaction => 'run' in value && 'runClaimed' in value;

/**
 * The world of an adapter that is being written. A test that uses a member that it does not have yet is skipped, and says which. A
 * suite whose hooks use one is skipped too.
 */
export const worldSoFar = <World extends object>(world: SoFar<World>, skip: (path: string) => never = skipTest): World => {
  const over = <T extends object>(value: T, path: readonly string[]): T =>
    new Proxy(value, {
      get: (target, key) => {
        const member: unknown = Reflect.get(target, key);
        // A value with `then` is a promise, which a world is not.
        if (typeof key === 'symbol' || key === 'then') return member;
        const place = [...path, key];
        if (member === undefined) return skip(place.join('.'));
        return typeof member === 'object' && member !== null ? follow(member, place) : member;
      },
    });
  const follow = (member: object, path: readonly string[]): object => {
    if (!isTransaction(member)) return over(member, path);
    const transaction: Transaction = {
      run: (cause, work) => member.run(cause, (ports) => work(over(ports, ['tx']))),
      runClaimed: (claim, work) => member.runClaimed(claim, (ports) => work(over(ports, ['tx']))),
    };
    return transaction;
  };
  return over(world as World, []);
};
