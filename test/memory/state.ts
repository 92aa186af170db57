import { OverlayMap } from './overlay-map.ts';

type Tables = Record<string, Map<string, unknown>>;

/** State that the memory adapters share: tables of rows by their keys. */
export interface MemoryState {
  readonly tables: Tables;
  /** Called with what changed, like the nodes that listen to the database. */
  readonly listeners: Set<(topic: string) => void>;
  /** The state below that of a transaction. */
  readonly below?: MemoryState;
}

export const createMemoryState = (): MemoryState => ({ tables: {}, listeners: new Set() });

/**
 * The named table, made at first use. Rows are values: replace them, never change them in place.
 */
export const table = <Row>(state: MemoryState, name: string): Map<string, Row> =>
  (state.tables[name] ??= state.below ? new OverlayMap(table(state.below, name)) : new Map()) as Map<string, Row>;

/** The state that all transactions have in common. */
export const rootOf = (state: MemoryState): MemoryState => (state.below ? rootOf(state.below) : state);

/** A state of one transaction. It sees what others have committed, and others see its own rows after the commit alone. */
export const openTransactionState = (below: MemoryState): { readonly state: MemoryState; commit(): void } => {
  const heard: string[] = [];
  const state: MemoryState = { tables: {}, listeners: new Set([(topic) => heard.push(topic)]), below };
  return {
    state,
    commit: () => {
      for (const rows of Object.values(state.tables)) (rows as OverlayMap<unknown>).commit();
      for (const topic of heard) for (const listen of below.listeners) listen(topic);
    },
  };
};
