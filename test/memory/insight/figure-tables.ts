import { FIRST_ATTEMPT_BOUNDS_MS, LATENCY_BOUNDS_MS, STATUS_CLASSES } from '../../../src/domain/insight/figures.ts';
import { table, type MemoryState } from '../state.ts';

/**
 * `of`: a subscription, with what was delivered, failed and dropped, then the attempts, the histograms and what was filtered and gathered;
 * a check and a reason, with the refusals; or an installation, with its answers and the histogram.
 */
export interface FigureRow {
  readonly storeId: string;
  readonly unit: 'minute' | 'hour';
  readonly at: number;
  readonly of: string | readonly [check: string, reason: string] | { readonly installationId: string };
  readonly counts: readonly number[];
}

const UNIT_MS = { minute: 60_000, hour: 3_600_000 } as const;
const LATENCY_AT = 3 + STATUS_CLASSES.length;
const FIRST_ATTEMPT_AT = LATENCY_AT + LATENCY_BOUNDS_MS.length + 1;
export const PLACES = {
  attempts: 3,
  latency: LATENCY_AT,
  firstAttempt: FIRST_ATTEMPT_AT,
  filtered: FIRST_ATTEMPT_AT + FIRST_ATTEMPT_BOUNDS_MS.length + 1,
  gathered: FIRST_ATTEMPT_AT + FIRST_ATTEMPT_BOUNDS_MS.length + 2,
};

export const figuresOf = (state: MemoryState): Map<string, FigureRow> => table<FigureRow>(state, 'figures');

export const addFigures = (state: MemoryState, given: FigureRow): void => {
  const at = Math.floor(given.at / UNIT_MS[given.unit]) * UNIT_MS[given.unit];
  const key = JSON.stringify([given.storeId, given.unit, at, given.of]);
  const before = figuresOf(state).get(key)?.counts ?? [];
  figuresOf(state).set(key, { ...given, at, counts: given.counts.map((count, index) => count + (before[index] ?? 0)) });
};

const OUTCOMES = ['Delivered', 'Failed', 'Dropped'];

interface Counted {
  readonly storeId: string;
  readonly subscriptionId: string;
  /** State of the delivery afterwards. Null without one. */
  readonly status: string | null;
}

/** Counts what happened to a delivery now; `places` are those of its attempt, if there was one. */
export const countDelivery = (
  state: MemoryState,
  now: number,
  { storeId, subscriptionId, status }: Counted,
  places: readonly number[] = [],
): void => {
  const counts = Array.from({ length: PLACES.gathered + 1 }, (_, index) =>
    places.includes(index) || OUTCOMES[index] === status ? 1 : 0,
  );
  addFigures(state, { storeId, unit: 'minute', at: now, of: subscriptionId, counts });
};
