import { byStore } from '../../domain/by-store.ts';
import { latencyOf, LATENCY_BOUNDS_MS, STATUS_CLASSES, classOf } from '../../domain/insight/figures.ts';
import type { Ports } from '../../domain/ports/index.ts';

/** A request of an app that was answered, or whose client left. */
export interface Call {
  readonly storeId: string;
  readonly installationId: string;
  /** When it arrived, in milliseconds since the epoch. */
  readonly at: number;
  /** Null where the client left before the answer ended. */
  readonly status: number | null;
  /** Null where it takes as long as the client asks: a wait for the feed, an import, an export. */
  readonly durationMs: number | null;
}

export interface CallCounter {
  /** Never waits. */
  add(call: Call): void;
  flush(): Promise<void>;
}

/** Installations of one batch, each in one minute. */
const MAX_ENTRIES = 10_000;
const MINUTE_MS = 60_000;
/** One store may be locked. Where this many fail, the database is away, and the others would wait for it one by one. */
const MAX_FAILED_STORES = 3;

interface Counts {
  readonly storeId: string;
  readonly installationId: string;
  readonly at: number;
  readonly answers: number[];
  readonly latency: number[];
}

const addTo = (counts: number[], place: number): void => {
  counts[place] = (counts[place] ?? 0) + 1;
};

const callsIn = (batch: readonly Counts[]): number =>
  batch.reduce((sum, { answers }) => sum + answers.reduce((all, count) => all + count, 0), 0);

/**
 * Counts the calls of each app, off the path of the requests. What fails of a store is not sent again,
 * because nobody knows whether it was counted. `onLost` gets the number of calls that are not counted.
 */
export const countCalls = ({ figures }: Pick<Ports, 'figures'>, onLost: (calls: number) => void): CallCounter => {
  let counts = new Map<string, Counts>();
  return {
    add: ({ storeId, installationId, at, status, durationMs }) => {
      const minute = Math.floor(at / MINUTE_MS) * MINUTE_MS;
      const key = `${installationId} ${String(minute)}`;
      let entry = counts.get(key);
      if (entry === undefined) {
        if (counts.size >= MAX_ENTRIES) {
          onLost(1);
          return;
        }
        const none = (length: number): number[] => Array.from({ length }, () => 0);
        const empty = { answers: none(STATUS_CLASSES.length), latency: none(LATENCY_BOUNDS_MS.length + 1) };
        entry = { storeId, installationId, at: minute, ...empty };
        counts.set(key, entry);
      }
      addTo(entry.answers, classOf(status));
      if (durationMs !== null) addTo(entry.latency, latencyOf(durationMs));
    },
    flush: async () => {
      const stores = byStore(counts.values());
      counts = new Map();
      const failures: unknown[] = [];
      for (const own of stores.values()) {
        try {
          if (failures.length >= MAX_FAILED_STORES) onLost(callsIn(own));
          else await figures.addCalls(own);
        } catch (error) {
          failures.push(error);
          onLost(callsIn(own));
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
};
