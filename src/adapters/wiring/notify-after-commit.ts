import type { Ports, TransactionPorts } from '../../domain/ports/index.ts';
import type { Transaction } from '../../domain/ports/transaction.ts';

/** The ports over which the transaction's events and imports are noted. */
const noting = (ports: TransactionPorts, stores: Set<string>, installations: Set<string>): TransactionPorts => ({
  ...ports,
  events: {
    append: (events, requestId) => {
      for (const { storeId } of events) stores.add(storeId);
      return ports.events.append(events, requestId);
    },
  },
  mediaImports: {
    ...ports.mediaImports,
    create: (given) => {
      installations.add(given.installationId);
      return ports.mediaImports.create(given);
    },
  },
});

/**
 * Requests the work that a transaction leaves to do, once for each store and installation, after
 * its commit. Nothing is requested for a transaction that rejects. The requests are not awaited, so
 * they must not reject; the sweep finds the work of a request that was lost.
 */
export const notifyAfterCommit = (
  transaction: Transaction,
  { deliveryQueue, importQueue }: Pick<Ports, 'deliveryQueue' | 'importQueue'>,
): Transaction => ({
  run: async (work) => {
    const stores = new Set<string>();
    const installations = new Set<string>();
    const value = await transaction.run((ports) => work(noting(ports, stores, installations)));
    for (const storeId of stores) void deliveryQueue.fanOut(storeId);
    if (installations.size > 0) void importQueue.ask([...installations]);
    return value;
  },
});
