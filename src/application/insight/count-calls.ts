import { latencyOf, LATENCY_BOUNDS_MS, STATUS_CLASSES, classOf } from '../../domain/insight/figures.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { gatherCounts } from './gather-counts.ts';

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

const MINUTE_MS = 60_000;

interface Counts {
  readonly storeId: string;
  readonly installationId: string;
  readonly at: number;
  readonly answers: number[];
  readonly latency: number[];
}

const none = (length: number): number[] => Array.from({ length }, () => 0);

const addTo = (counts: number[], place: number): void => {
  counts[place] = (counts[place] ?? 0) + 1;
};

/** Counts the calls of each app in each minute, off the path of the requests. `onLost` gets the number of calls that are not counted. */
export const countCalls = ({ figures }: Pick<Ports, 'figures'>, onLost: (calls: number) => void): CallCounter => {
  const counts = gatherCounts<Counts>({
    write: (own) => figures.addCalls(own),
    sizeOf: ({ answers }) => answers.reduce((all, count) => all + count, 0),
    onLost,
  });
  return {
    add: ({ storeId, installationId, at, status, durationMs }) => {
      const minute = Math.floor(at / MINUTE_MS) * MINUTE_MS;
      const entry = counts.of(`${installationId} ${String(minute)}`, () => ({
        storeId,
        installationId,
        at: minute,
        answers: none(STATUS_CLASSES.length),
        latency: none(LATENCY_BOUNDS_MS.length + 1),
      }));
      if (entry === null) return;
      addTo(entry.answers, classOf(status));
      if (durationMs !== null) addTo(entry.latency, latencyOf(durationMs));
    },
    flush: counts.flush,
  };
};
