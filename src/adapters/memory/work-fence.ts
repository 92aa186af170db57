import type { WorkFence, Holdable } from '../../domain/ports/work-fence.ts';
import { installationsOf } from './identity/identity-tables.ts';
import type { MemoryState } from './state.ts';
import { table } from './state.ts';

/** What is held: a subscription, or an installation for its imports. */
interface Row {
  readonly id: string;
  readonly storeId: string;
  readonly installationId: string | null;
}

/** What a stop is about, by its rows. */
export type Concerns = (row: Row) => boolean;

interface Held {
  readonly row: Row;
  readonly stop: AbortController;
  readonly owner: object;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  readonly end: () => void;
}

/** Beside the tables: a transaction that throws puts those back, but no hold. */
interface Fence {
  readonly holds: Map<string, Held>;
  readonly shut: Set<Concerns>;
}

const fences = new WeakMap<MemoryState, Fence>();

const fenceOf = (state: MemoryState): Fence => {
  const known = fences.get(state);
  if (known) return known;
  const made: Fence = { holds: new Map(), shut: new Set() };
  fences.set(state, made);
  return made;
};

const rowOf = (state: MemoryState, of: Holdable, id: string): Row | undefined => {
  if (of === 'deliveries') return table<Row>(state, 'subscriptions').get(id);
  const app = installationsOf(state).get(id);
  return app && { id, storeId: app.storeId, installationId: id };
};

const keyOf = (of: Holdable, id: string): string => `${of}/${id}`;

/** Whether any worker holds it. */
export const isServed = (state: MemoryState, subscriptionId: string): boolean =>
  fenceOf(state).holds.has(keyOf('deliveries', subscriptionId));

const newHeld = (row: Row, owner: object): Held => {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { row, stop: new AbortController(), owner, ended, end };
};

/** One worker's holds; others over the same state are other workers'. */
export const createWorkFence = (state: MemoryState): WorkFence => {
  const { holds, shut } = fenceOf(state);
  const owner = {};
  const end = (key: string, held: Held): void => {
    if (holds.get(key) === held) holds.delete(key);
    held.end();
  };
  return {
    hold: async (id, of = 'deliveries') => {
      const [row, key] = [rowOf(state, of, id), keyOf(of, id)];
      if (!row || holds.has(key) || [...shut].some((concerns) => concerns(row))) return null;
      const held = newHeld(row, owner);
      holds.set(key, held);
      return {
        signal: held.stop.signal,
        mayBegin: async () => holds.get(key) === held && !held.stop.signal.aborted,
        release: async () => {
          end(key, held);
        },
      };
    },
    close: async () => {
      for (const [id, held] of holds) {
        if (held.owner !== owner) continue;
        held.stop.abort();
        end(id, held);
      }
    },
  };
};

/** As long as a holder has on PostgreSQL. */
const STOP_MS = 5_000;

/** Shuts the gate, has the holders stop, waits until none is left, and opens it again when `write` has written. */
export const stopWork = async <T>(
  state: MemoryState,
  concerns: Concerns,
  write: () => T | Promise<T>,
  limit = STOP_MS,
): Promise<T> => {
  const { holds, shut } = fenceOf(state);
  shut.add(concerns);
  try {
    const stopped = [...holds].filter(([, { row }]) => concerns(row));
    for (const [, held] of stopped) held.stop.abort();
    if (stopped.length > 0) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, limit)));
      await Promise.race([Promise.all(stopped.map(([, held]) => held.ended)), late]);
      clearTimeout(timer);
    }
    // Who doesn't answer loses its hold.
    for (const [key, held] of stopped) if (holds.get(key) === held) holds.delete(key);
    return await write();
  } finally {
    shut.delete(concerns);
  }
};
