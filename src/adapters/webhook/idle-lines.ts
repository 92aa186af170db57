/** Open connections that wait for their subscription's next delivery, at most `limit` of them: the one that waits longest gives way. */
export class IdleLines<Line extends object> {
  readonly #limit: number;
  readonly #byKey = new Map<string, Set<Line>>();
  /** In the order in which they began to wait. */
  readonly #keys = new Map<Line, string>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#keys.size;
  }

  take(key: string): Line | null {
    const [line = null] = this.#byKey.get(key) ?? [];
    if (line) this.remove(line);
    return line;
  }

  /** Returns the line that gave way, for its owner to end. */
  put(key: string, line: Line): Line | null {
    this.#keys.set(line, key);
    const lines = this.#byKey.get(key) ?? new Set();
    this.#byKey.set(key, lines.add(line));
    if (this.#keys.size <= this.#limit) return null;
    const [oldest = line] = this.#keys.keys();
    this.remove(oldest);
    return oldest;
  }

  /** Whether it was among them. */
  remove(line: Line): boolean {
    const key = this.#keys.get(line);
    if (key === undefined) return false;
    this.#keys.delete(line);
    const lines = this.#byKey.get(key);
    lines?.delete(line);
    if (lines?.size === 0) this.#byKey.delete(key);
    return true;
  }
}
