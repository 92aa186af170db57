/**
 * Finds records by any of several keys in constant time. Of two records with the same key it finds
 * the first.
 */
export class Lookup<T> {
  private readonly byKey = new Map<string, T>();

  constructor(
    records: readonly T[],
    private readonly keysOf: (record: T) => readonly string[],
  ) {
    for (const record of records) this.add(record);
  }

  add(record: T): void {
    for (const key of this.keysOf(record)) {
      if (!this.byKey.has(key)) this.byKey.set(key, record);
    }
  }

  /** The record of the first key that has one. Null keys are skipped. */
  find(...keys: readonly (string | null)[]): T | undefined {
    for (const key of keys) {
      const found = key === null ? undefined : this.byKey.get(key);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
