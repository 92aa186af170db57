import type { Transaction, Work } from '../../src/domain/ports/transaction.ts';

/** Surrounds each run: `run` runs the work that it gets in a transaction of the same kind. */
export type Around = <T>(run: <R>(work: Work<R>) => Promise<R>, work: Work<T>) => Promise<T>;

export const aroundTransaction = (transaction: Transaction, around: Around): Transaction => ({
  run: (cause, work) => around((changed) => transaction.run(cause, changed), work),
  runClaimed: (claim, work) => around((changed) => transaction.runClaimed(claim, changed), work),
});
