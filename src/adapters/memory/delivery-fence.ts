import type { DeliveryFence } from '../../domain/ports/delivery-fence.ts';
import type { MemoryState } from './state.ts';
import { table } from './state.ts';

/** Which subscriptions a stop is about, by their rows. */
export type Concerns = (subscription: {
  readonly id: string;
  readonly storeId: string;
  readonly installationId: string | null;
}) => boolean;

interface Held {
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

const subscriptionsOf = (state: MemoryState) => table<Parameters<Concerns>[0]>(state, 'subscriptions');

const newHeld = (owner: object): Held => {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { stop: new AbortController(), owner, ended, end };
};

/** One worker's holds; others over the same state are other workers'. */
export const createDeliveryFence = (state: MemoryState): DeliveryFence => {
  const { holds, shut } = fenceOf(state);
  const owner = {};
  const end = (id: string, held: Held): void => {
    if (holds.get(id) === held) holds.delete(id);
    held.end();
  };
  return {
    hold: async (id) => {
      const row = subscriptionsOf(state).get(id);
      if (!row || holds.has(id) || [...shut].some((concerns) => concerns(row))) return null;
      const held = newHeld(owner);
      holds.set(id, held);
      return {
        signal: held.stop.signal,
        mayBegin: async () => holds.get(id) === held && !held.stop.signal.aborted,
        release: async () => {
          end(id, held);
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
export const stopDeliveries = async <T>(
  state: MemoryState,
  concerns: Concerns,
  write: () => T | Promise<T>,
  limit = STOP_MS,
): Promise<T> => {
  const { holds, shut } = fenceOf(state);
  shut.add(concerns);
  try {
    const stopped = [...subscriptionsOf(state).values()].flatMap((row) => {
      const held = concerns(row) ? holds.get(row.id) : undefined;
      return held ? [{ id: row.id, held }] : [];
    });
    for (const { held } of stopped) held.stop.abort();
    if (stopped.length > 0) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, limit)));
      await Promise.race([Promise.all(stopped.map(({ held }) => held.ended)), late]);
      clearTimeout(timer);
    }
    // Who doesn't answer loses its hold.
    for (const { id, held } of stopped) if (holds.get(id) === held) holds.delete(id);
    return await write();
  } finally {
    shut.delete(concerns);
  }
};
