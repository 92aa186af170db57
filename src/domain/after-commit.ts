import type { TransactionPorts } from './ports/index.ts';

/** Who is told of what a transaction left to do, once each and after its commit. They must not throw, and are not awaited. */
export interface AfterCommit {
  /** Told of each store that has new events. */
  readonly onEvents?: (storeId: string) => void;
  /** Told of each installation that has a new import. */
  readonly onImports?: (installationId: string) => void;
}

/** Runs a transaction over ports that note what it leaves to do, and tells of it when it has committed; of one that rejects nothing is told. */
export const tellAfterCommit = async <T>(
  { onEvents, onImports }: AfterCommit,
  run: (noting: (ports: TransactionPorts) => TransactionPorts) => Promise<T>,
): Promise<T> => {
  const stores = new Set<string>();
  const installations = new Set<string>();
  const value = await run((ports) => ({
    ...ports,
    events: {
      append: (list) => {
        for (const { storeId } of list) stores.add(storeId);
        return ports.events.append(list);
      },
    },
    mediaImports: {
      ...ports.mediaImports,
      create: (given) => {
        installations.add(given.installationId);
        return ports.mediaImports.create(given);
      },
    },
  }));
  for (const storeId of stores) onEvents?.(storeId);
  for (const installationId of installations) onImports?.(installationId);
  return value;
};
