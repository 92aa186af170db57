/** A line of the log that waits to be written, or not to be. */
type Write = (leftOut: number) => void;

interface Kind {
  /** The newest line that was not written. */
  latest: Write | null;
  leftOut: number;
}

const EVERY_MS = 1_000;

/**
 * Writes the first line of a kind at once, and then one each second while more come: the newest,
 * with the number of those that were left out. An outage would otherwise write a line for each
 * request and each second of background work.
 */
export class OutageLines {
  readonly #kinds = new Map<string, Kind>();
  total = 0;

  add(kind: string, write: Write): void {
    this.total += 1;
    const known = this.#kinds.get(kind);
    if (known) {
      if (known.latest) known.leftOut += 1;
      known.latest = write;
      return;
    }
    write(0);
    this.#rest(kind);
  }

  /** Writes at once what waits. */
  flush(): void {
    for (const [kind, { latest, leftOut }] of [...this.#kinds]) {
      latest?.(leftOut);
      this.#kinds.set(kind, { latest: null, leftOut: 0 });
    }
  }

  #rest(kind: string): void {
    this.#kinds.set(kind, { latest: null, leftOut: 0 });
    setTimeout(() => {
      const { latest = null, leftOut = 0 } = this.#kinds.get(kind) ?? {};
      this.#kinds.delete(kind);
      if (!latest) return;
      latest(leftOut);
      this.#rest(kind);
    }, EVERY_MS).unref();
  }
}
