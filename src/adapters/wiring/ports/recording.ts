import type { Cause } from '../../../domain/cause.ts';
import type { MediaImport } from '../../../domain/media/media-import.ts';
import type { ImportOwner } from '../../../domain/ports/media/media-import-repository.ts';
import type { Ports, TransactionPorts } from '../../../domain/ports/index.ts';
import type { Transaction, Work } from '../../../domain/ports/transaction.ts';
import type { NewEvent } from '../../../domain/webhooks/event.ts';

/** Facts of a committed transaction. */
export interface Committed {
  readonly cause: Cause;
  /** Events as they were appended, together with their ids. */
  readonly appended: { readonly events: readonly NewEvent[]; readonly ids: readonly string[] }[];
  /** The installations with a new import, by their ids. */
  readonly importing: Map<string, ImportOwner>;
  /** Media imports as they are after an item, or all of them, ended. */
  readonly settled: MediaImport[];
}

/** Called after a commit and not awaited, so it must not throw or reject. */
export type OnCommit = (committed: Committed) => void;

const recordingPorts = (ports: TransactionPorts, { appended, importing, settled }: Committed): TransactionPorts => ({
  ...ports,
  events: {
    append: async (events) => {
      const ids = await ports.events.append(events);
      appended.push({ events, ids });
      return ids;
    },
  },
  mediaImports: {
    ...ports.mediaImports,
    create: (given) => {
      const { storeId, installationId } = given;
      importing.set(installationId, { storeId, installationId });
      return ports.mediaImports.create(given);
    },
    settle: async (after, index) => {
      await ports.mediaImports.settle(after, index);
      settled.push(after);
    },
    endAll: async (owner) => {
      const ended = await ports.mediaImports.endAll(owner);
      settled.push(...ended);
      return ended;
    },
  },
});

/** Calls the listeners with what each transaction has recorded, after its commit. A transaction that rejects calls none. */
export const recording = (transaction: Transaction, onCommit: readonly OnCommit[]): Transaction => {
  const recorded =
    <T>(cause: Cause, work: Work<T>): Work<{ committed: Committed; value: T }> =>
    async (ports) => {
      // The work may run again, and then only its last run counts.
      const committed = { cause, appended: [], importing: new Map<string, ImportOwner>(), settled: [] };
      return { committed, value: await work(recordingPorts(ports, committed)) };
    };
  const afterCommit = async <T>(running: Promise<{ committed: Committed; value: T }>): Promise<T> => {
    const { committed, value } = await running;
    for (const listener of onCommit) listener(committed);
    return value;
  };
  return {
    run: (cause, work) => afterCommit(transaction.run(cause, recorded(cause, work))),
    runClaimed: (claim, work) => afterCommit(transaction.runClaimed(claim, recorded(claim.cause, work))),
  };
};

/** Requests the work that a commit leaves to do. The sweep finds the work of a request that was lost. */
export const requestWork =
  ({ deliveryQueue, importQueue }: Pick<Ports, 'deliveryQueue' | 'importQueue'>): OnCommit =>
  ({ appended, importing }) => {
    const stores = new Set(appended.flatMap(({ events }) => events.map(({ storeId }) => storeId)));
    for (const storeId of stores) void deliveryQueue.fanOut(storeId);
    if (importing.size > 0) void importQueue.ask([...importing.values()]);
  };
