import type { TransactionPorts } from '../../src/domain/ports/index.ts';
import type { Transaction } from '../../src/domain/ports/transaction.ts';
import { aroundTransaction, type Around } from './around-transaction.ts';

const UNDONE = new Error('The database preferred another transaction.');

/** Products come and go only under the lock of their catalogue (src/adapters/prisma/work/catalogue-lock.ts). */
const lockingFirst = (tx: TransactionPorts): TransactionPorts => {
  const locked = new Set<string>();
  const { lockCatalogue, save, insert, remove } = tx.products;
  const needLock = (storeId: string): void => {
    if (!locked.has(storeId)) throw new Error(`The catalogue of ${storeId} is not locked.`);
  };
  const products: TransactionPorts['products'] = {
    ...tx.products,
    lockCatalogue: async (storeId) => {
      await lockCatalogue(storeId);
      locked.add(storeId);
    },
    save: async (storeId, ...given) => {
      needLock(storeId);
      return save(storeId, ...given);
    },
    insert: async (storeId, ...given) => {
      needLock(storeId);
      return insert(storeId, ...given);
    },
    remove: async (storeId, ...given) => {
      needLock(storeId);
      return remove(storeId, ...given);
    },
  };
  return { ...tx, products };
};

const judged: Around = async (run, work) => {
  await run(async (ports) => {
    await work(lockingFirst(ports));
    throw UNDONE;
  }).catch((error: unknown) => {
    if (error !== UNDONE) throw error;
  });
  return run((ports) => work(lockingFirst(ports)));
};

/**
 * The ports, with two rules for each transaction. Its work runs, is undone, and runs again, as after
 * a conflict in the database: what it does outside of its ports, it does twice. And it changes no
 * list of products whose catalogue it has not locked.
 */
export const judgedTransactions = <P extends { readonly transaction: Transaction }>(ports: P): P => ({
  ...ports,
  transaction: aroundTransaction(ports.transaction, judged),
});
