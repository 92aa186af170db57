/**
 * Finds records by any of several keys in constant time. Of two records with the same key it finds
 * the first. No record has the key null.
 */
export class Lookup<T> {
  private readonly byKey = new Map<string | null, T>();

  constructor(
    records: readonly T[],
    private readonly keysOf: (record: T) => readonly (string | null)[],
  ) {
    for (const record of records) this.add(record);
  }

  add(record: T): void {
    for (const key of this.keysOf(record)) {
      if (key !== null && !this.byKey.has(key)) this.byKey.set(key, record);
    }
  }

  /** The record of the first key that has one. */
  find(...keys: readonly (string | null)[]): T | undefined {
    for (const key of keys) {
      const found = this.byKey.get(key);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
