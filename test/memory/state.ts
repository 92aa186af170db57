/**
 * State that the memory adapters share: one store of plain maps, so that a transaction can put
 * everything back.
 */
export interface MemoryState {
  readonly tables: Record<string, Map<string, unknown>>;
  /** Called with what changed, like the nodes that listen to the database. */
  readonly listeners: Set<(topic: string) => void>;
}

export const createMemoryState = (): MemoryState => ({ tables: {}, listeners: new Set() });

/**
 * The named table, made at first use. Rows are values: replace them, never change them in place.
 */
export const table = <Row>(state: MemoryState, name: string): Map<string, Row> =>
  (state.tables[name] ??= new Map()) as Map<string, Row>;

/** A copy to restore from; rows are replaced and never changed, so the maps alone need copying. */
export const snapshot = (state: MemoryState): (() => void) => {
  const copies = Object.entries(state.tables).map(([name, rows]) => [name, new Map(rows)] as const);
  return () => {
    for (const name of Object.keys(state.tables)) state.tables[name]?.clear();
    for (const [name, rows] of copies) for (const [key, row] of rows) state.tables[name]?.set(key, row);
  };
};
