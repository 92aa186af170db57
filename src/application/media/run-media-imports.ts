import { importEvents } from '../../domain/media/media-import.ts';
import type { Lease } from '../../domain/ports/work-lease.ts';
import type { Ports } from '../../domain/ports/index.ts';
import type { ImportOwner, ImportTask } from '../../domain/ports/media/media-import-repository.ts';
import { importItem, type ItemPorts, type ItemSettings } from './import-item.ts';

export interface ImportSettings extends ItemSettings {
  /**
   * Aborted when this node stops. No item begins after that; those in flight continue until the
   * leases are closed.
   */
  readonly stopping: AbortSignal;
}

type ImportPorts = ItemPorts & Pick<Ports, 'workLeases' | 'importQueue' | 'installations' | 'mediaImports'>;

const AT_ONCE = 2;
/** After this time a turn begins no item, so that every installation gets a turn. */
const TURN_MS = 5_000;

/**
 * Continues an installation's imports item by item: the oldest import first, its items by index,
 * two at once. When the worker of an item dies, the next worker begins it again, and nothing that
 * was done is done twice.
 */
export const runMediaImports = (ports: ImportPorts, settings: ImportSettings) => {
  const { clock, workLeases, importQueue, installations, mediaImports, transaction } = ports;
  const doItem = importItem(ports, settings);

  /** Ends imports that were created while the app was being uninstalled. */
  const endOfUninstalled = async (owner: ImportOwner): Promise<void> => {
    if ((await installations.get(owner.storeId, owner.installationId))?.status !== 'Uninstalled') return;
    await transaction.run(null, async (tx) => {
      await tx.events.append((await tx.mediaImports.endAll(owner)).flatMap(importEvents));
    });
  };

  /** Whether there may be more to do after the turn. */
  const turn = async (owner: ImportOwner, lease: Lease): Promise<boolean> => {
    const begun = new Map<ImportTask, Promise<void>>();
    const tasks: ImportTask[] = [];
    const failures: unknown[] = [];
    const until = clock.now() + TURN_MS;
    const isOver = (): boolean =>
      clock.now() >= until || lease.signal.aborted || settings.stopping.aborted || failures.length > 0;

    const begin = (task: ImportTask): void => {
      const earlier = Promise.all(begun.values());
      tasks.push(task);
      const running = doItem(task, lease, earlier)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => begun.delete(task));
      begun.set(task, running);
    };
    const beginAll = async (): Promise<boolean> => {
      while (!isOver()) {
        if (begun.size >= AT_ONCE) await Promise.race(begun.values());
        else {
          const task = await mediaImports.begin(owner, [...begun.keys()]);
          if (!task) return false;
          begin(task);
        }
      }
      return true;
    };
    const more = await beginAll().catch((error: unknown) => failures.push(error) > 0);
    await Promise.all(begun.values());
    await mediaImports.requeue(owner.storeId, tasks);
    if (failures.length > 0) throw new AggregateError(failures, 'Items could not be imported');
    return more;
  };

  return async (owner: ImportOwner): Promise<void> => {
    if (settings.stopping.aborted) return;
    const lease = await workLeases.acquire('imports', { storeId: owner.storeId, id: owner.installationId });
    // What resumes the imports requests them again, and the sweep does when another worker has the
    // lease.
    if (!lease) return;
    let more: boolean;
    try {
      await endOfUninstalled(owner);
      more = await turn(owner, lease);
    } finally {
      await lease.release();
    }
    if (more) await importQueue.ask([owner]);
  };
};
