/** A map over another one, which it leaves unchanged until its commit. It shows the changes of the other one meanwhile. */
export class OverlayMap<Row> extends Map<string, Row> {
  readonly #below: Map<string, Row>;
  readonly #removed = new Set<string>();

  constructor(below: Map<string, Row>) {
    super();
    this.#below = below;
  }

  commit(): void {
    for (const key of this.#removed) this.#below.delete(key);
    for (const [key, row] of super.entries()) this.#below.set(key, row);
    this.#removed.clear();
    super.clear();
  }

  override get(key: string): Row | undefined {
    if (super.has(key)) return super.get(key);
    return this.#removed.has(key) ? undefined : this.#below.get(key);
  }

  override has(key: string): boolean {
    return super.has(key) || (!this.#removed.has(key) && this.#below.has(key));
  }

  override delete(key: string): boolean {
    const isThere = this.has(key);
    super.delete(key);
    if (this.#below.has(key)) this.#removed.add(key);
    return isThere;
  }

  override clear(): void {
    super.clear();
    for (const key of this.#below.keys()) this.#removed.add(key);
  }

  override get size(): number {
    return [...this.keys()].length;
  }

  override *entries(): MapIterator<[string, Row]> {
    for (const [key, row] of this.#below) {
      if (this.#removed.has(key)) continue;
      yield [key, super.has(key) ? (super.get(key) as Row) : row];
    }
    for (const [key, row] of super.entries()) if (this.#removed.has(key) || !this.#below.has(key)) yield [key, row];
  }

  override *keys(): MapIterator<string> {
    for (const [key] of this.entries()) yield key;
  }

  override *values(): MapIterator<Row> {
    for (const [, row] of this.entries()) yield row;
  }

  override forEach(run: (row: Row, key: string, map: Map<string, Row>) => void): void {
    for (const [key, row] of this.entries()) run(row, key, this);
  }

  override [Symbol.iterator](): MapIterator<[string, Row]> {
    return this.entries();
  }
}
