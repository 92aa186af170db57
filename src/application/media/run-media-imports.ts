import { importEvents } from '../../domain/media/import-events.ts';
import { sourceHost } from '../../domain/media/source-host.ts';
import type { Ports } from '../../domain/ports/index.ts';
import type { ImportOwner, ImportTask } from '../../domain/ports/media/media-import-repository.ts';
import type { Lease } from '../../domain/ports/work-lease.ts';
import { importItem, type ItemPorts, type ItemSettings } from './import-item.ts';

/** A node fetches at most this many images of one host at once, for all stores. */
const OF_A_HOST = 4;

/** Keeps a slow host from taking the places of other hosts on this node. */
class HostPlaces {
  readonly #taken = new Map<string, number>();
  readonly #waiting = new Map<string, ImportOwner>();

  constructor(private readonly ask: (owners: readonly ImportOwner[]) => Promise<void>) {}

  #isFull(host: string): boolean {
    return (this.#taken.get(host) ?? 0) >= OF_A_HOST;
  }

  full(): string[] {
    return [...this.#taken.keys()].filter((host) => this.#isFull(host));
  }

  /** Returns false when the host has no free place. */
  take(host: string): boolean {
    if (this.#isFull(host)) return false;
    this.#taken.set(host, (this.#taken.get(host) ?? 0) + 1);
    return true;
  }

  /** Requests the imports that wait for a place. */
  async free(host: string): Promise<void> {
    const left = (this.#taken.get(host) ?? 0) - 1;
    if (left > 0) this.#taken.set(host, left);
    else this.#taken.delete(host);
    const owners = [...this.#waiting.values()];
    this.#waiting.clear();
    await this.ask(owners);
  }

  wait(owner: ImportOwner): void {
    this.#waiting.set(owner.installationId, owner);
  }
}

interface ImportSettings extends ItemSettings {
  /**
   * Aborted when this node stops. No item begins after that; those in flight continue until the
   * leases are closed.
   */
  readonly stopping: AbortSignal;
  /** Resolves when a turn whose items are all in flight looks for others that were requested meanwhile. */
  readonly soon: () => Promise<unknown>;
}

type ImportPorts = ItemPorts & Pick<Ports, 'workLeases' | 'importQueue' | 'installations' | 'mediaImports'>;

/** A turn fetches at most this many images at once. */
const AT_ONCE = 4;
/** At most this many of them are of one host. */
const OF_ONE_HOST = 2;
/**
 * After this time a turn begins no item, so that every installation gets a turn. While an item of
 * before is in flight, the turn keeps its place anyway, and continues with other items.
 */
const TURN_MS = 5_000;

/**
 * Continues an installation's imports item by item: the oldest import first, its items by index,
 * some at once. When the worker of an item dies, the next worker begins it again, and nothing that
 * was done is done twice.
 */
export const runMediaImports = (ports: ImportPorts, settings: ImportSettings) => {
  const { clock, workLeases, importQueue, installations, mediaImports, transaction } = ports;
  const doItem = importItem(ports, settings);
  const places = new HostPlaces((owners) => importQueue.ask(owners));

  /** Ends imports that were created while the app was being uninstalled. */
  const endOfUninstalled = async (owner: ImportOwner): Promise<void> => {
    if ((await installations.get(owner.storeId, owner.installationId))?.status !== 'Uninstalled') return;
    await transaction.run(null, async (tx) => {
      await tx.events.append((await tx.mediaImports.endAll(owner)).flatMap(importEvents));
    });
  };

  /** Returns true when there may be more to do after the turn. */
  const turn = async (owner: ImportOwner, lease: Lease): Promise<boolean> => {
    const begun = new Map<ImportTask, Promise<void>>();
    const early = new Set<ImportTask>();
    const tasks: ImportTask[] = [];
    const failures: unknown[] = [];
    const until = clock.now() + TURN_MS;
    let retryAt = Infinity;
    const hasTime = (): boolean => clock.now() < until || early.size > 0;
    const isOver = (): boolean => !hasTime() || lease.signal.aborted || settings.stopping.aborted || failures.length > 0;

    /** Never rejects: the turn fails when all that it began has ended. */
    const doAndFree = async (task: ImportTask): Promise<void> => {
      // Only images of one product have an order.
      const earlier = [...begun].filter(([{ productId }]) => productId === task.productId).map(([, running]) => running);
      const failed = (error: unknown): void => void failures.push(error);
      await doItem(task, lease, Promise.all(earlier)).then((seconds) => {
        if (seconds !== null) retryAt = Math.min(retryAt, clock.now() + seconds * 1000);
      }, failed);
      begun.delete(task);
      early.delete(task);
      await places.free(sourceHost(task.sourceUrl)).catch(failed);
    };
    const begin = (task: ImportTask): void => {
      tasks.push(task);
      if (clock.now() < until) early.add(task);
      begun.set(task, doAndFree(task));
    };
    /** Null when no item is open whose host may be asked. */
    const beginNext = async (): Promise<ImportTask | null> => {
      for (;;) {
        const full = places.full();
        const own = [...begun.keys()].map(({ sourceUrl }) => sourceHost(sourceUrl));
        const busy = own.filter((host) => own.filter((one) => one === host).length >= OF_ONE_HOST);
        const beginOther = (than: readonly string[]) => mediaImports.begin(owner, [...begun.keys()], than);
        const task = (await beginOther([...full, ...busy])) ?? (full.length > 0 ? await beginOther(busy) : null);
        if (!task) return null;
        const host = sourceHost(task.sourceUrl);
        if (places.take(host)) return task;
        places.wait(owner);
        await mediaImports.requeue(owner.storeId, [task]);
        if (full.includes(host)) return null;
      }
    };
    const beginAll = async (): Promise<boolean> => {
      while (!isOver()) {
        const task = begun.size < AT_ONCE ? await beginNext() : null;
        if (task) begin(task);
        else if (begun.size > 0) await Promise.race([...begun.values(), settings.soon()]);
        else return false;
      }
      return true;
    };
    const more = await beginAll().catch((error: unknown) => failures.push(error) > 0);
    await Promise.all(begun.values());
    await mediaImports.requeue(owner.storeId, tasks);
    if (retryAt < Infinity) await importQueue.askLater(owner, Math.max(0, retryAt - clock.now()) / 1000);
    if (failures.length > 0) throw new AggregateError(failures, 'Items could not be imported');
    return more;
  };

  return async (owner: ImportOwner): Promise<void> => {
    if (settings.stopping.aborted) return;
    const lease = await workLeases.acquire('imports', { storeId: owner.storeId, id: owner.installationId });
    // Imports are requested again when they resume, and by the sweep if another worker has the lease.
    if (!lease) return;
    let more: boolean;
    try {
      await endOfUninstalled(owner);
      more = await turn(owner, lease);
    } finally {
      await lease.release();
    }
    // A lease that was taken away ends the imports, or the sweep requests them.
    if (more && !lease.signal.aborted) await importQueue.ask([owner]);
  };
};

/**
 * Requests all imports that must continue or end, also those that a crash or an emptied queue lost.
 */
export const sweepMediaImports =
  ({ importQueue, mediaImports }: Pick<Ports, 'importQueue' | 'mediaImports'>) =>
  async (): Promise<void> => {
    await importQueue.ask(await mediaImports.toRun());
  };
