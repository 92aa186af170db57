interface Idle {
  readonly subscriptionId: string;
}

export class IdleLines<Line extends Idle> {
  readonly #limit: number;
  /**
   * The one that has waited the shortest time is the last. It is taken first, so that unneeded ones
   * close in time.
   */
  readonly #bySubscription = new Map<string, Line[]>();
  /** In the order in which they began to wait. */
  readonly #waiting = new Set<Line>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#waiting.size;
  }

  take(subscriptionId: string): Line | null {
    const lines = this.#bySubscription.get(subscriptionId);
    const line = lines?.pop();
    if (!line) return null;
    if (lines?.length === 0) this.#bySubscription.delete(subscriptionId);
    this.#waiting.delete(line);
    return line;
  }

  /** Returns the line that was removed. Its owner ends it. */
  put(line: Line): Line | null {
    const lines = this.#bySubscription.get(line.subscriptionId);
    if (lines) lines.push(line);
    else this.#bySubscription.set(line.subscriptionId, [line]);
    this.#waiting.add(line);
    if (this.#waiting.size <= this.#limit) return null;
    const [oldest = line] = this.#waiting;
    this.remove(oldest);
    return oldest;
  }

  remove(line: Line): boolean {
    if (!this.#waiting.delete(line)) return false;
    const others = this.#bySubscription.get(line.subscriptionId)?.filter((other) => other !== line) ?? [];
    if (others.length === 0) this.#bySubscription.delete(line.subscriptionId);
    else this.#bySubscription.set(line.subscriptionId, others);
    return true;
  }
}
