import type { Leasable, LeasedWork, WorkLeases } from '../../src/domain/ports/work-lease.ts';
import { installationOf } from './identity/identity-tables.ts';
import { rootOf, table, type MemoryState } from './state.ts';

interface Row {
  readonly id: string;
  readonly storeId: string;
  readonly installationId: string | null;
}

export type Concerns = (row: Row) => boolean;

interface Held {
  readonly row: Row;
  readonly stop: AbortController;
  readonly owner: object;
  readonly ended: Promise<void>;
  readonly end: () => void;
}

/** Not in the tables: a transaction that throws restores those, but no lease. */
interface Leases {
  readonly held: Map<string, Held>;
  readonly blocked: Set<Concerns>;
}

const leasesByState = new WeakMap<MemoryState, Leases>();

const leasesOf = (given: MemoryState): Leases => {
  const state = rootOf(given);
  const known = leasesByState.get(state);
  if (known) return known;
  const made: Leases = { held: new Map(), blocked: new Set() };
  leasesByState.set(state, made);
  return made;
};

const rowOf = (state: MemoryState, work: LeasedWork, { storeId, id }: Leasable): Row | undefined => {
  if (work === 'imports') return installationOf(state, storeId, id) && { id, storeId, installationId: id };
  const subscription = table<Row>(state, 'subscriptions').get(id);
  return subscription?.storeId === storeId ? subscription : undefined;
};

const keyOf = (work: LeasedWork, id: string): string => `${work}/${id}`;

const newHeld = (row: Row, owner: object): Held => {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { row, stop: new AbortController(), owner, ended, end };
};

export const createWorkLeases = (state: MemoryState): WorkLeases => {
  const { held: all, blocked } = leasesOf(state);
  const owner = {};
  const end = (key: string, held: Held): void => {
    if (all.get(key) === held) all.delete(key);
    held.end();
  };
  return {
    acquire: async (work, of) => {
      const [row, key] = [rowOf(state, work, of), keyOf(work, of.id)];
      if (!row || all.has(key) || [...blocked].some((concerns) => concerns(row))) return null;
      const held = newHeld(row, owner);
      all.set(key, held);
      return {
        signal: held.stop.signal,
        mayBegin: async () => all.get(key) === held && !held.stop.signal.aborted,
        release: async () => {
          end(key, held);
        },
      };
    },
    close: async () => {
      for (const [key, held] of all) {
        if (held.owner !== owner) continue;
        held.stop.abort();
        end(key, held);
      }
    },
  };
};

/** The time that a leaseholder has, as on PostgreSQL. */
const STOP_MS = 5_000;

/**
 * Blocks new leases on what the stop concerns, has the leaseholders stop, waits for them, and
 * allows leases again after `write`.
 */
export const stopWork = async <T>(
  state: MemoryState,
  concerns: Concerns,
  write: () => T | Promise<T>,
  limit = STOP_MS,
): Promise<T> => {
  const { held: all, blocked } = leasesOf(state);
  blocked.add(concerns);
  try {
    const stopped = [...all].filter(([, { row }]) => concerns(row));
    for (const [, held] of stopped) held.stop.abort();
    if (stopped.length > 0) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, limit)));
      await Promise.race([Promise.all(stopped.map(([, held]) => held.ended)), late]);
      clearTimeout(timer);
    }
    // A leaseholder that does not answer loses its lease.
    for (const [key, held] of stopped) if (all.get(key) === held) all.delete(key);
    return await write();
  } finally {
    blocked.delete(concerns);
  }
};
