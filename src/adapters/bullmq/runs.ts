interface Run {
  /** How often it was asked for since it began. */
  asked: number;
  ended: Promise<void>;
}

/** The work that this node does now, by key: never twice at once, and asked for while it runs once more afterwards. */
export class Runs {
  readonly #runs = new Map<string, Run>();

  get size(): number {
    return this.#runs.size;
  }

  /** Whether it runs, and so will run once more. */
  again(key: string): boolean {
    const run = this.#runs.get(key);
    if (run) run.asked += 1;
    return run !== undefined;
  }

  /** Resolves when it has ended, with what was asked for meanwhile; rejects when it throws. */
  run(key: string, work: () => Promise<void>): Promise<void> {
    const present = this.#runs.get(key);
    if (present) {
      present.asked += 1;
      return present.ended;
    }
    const run: Run = { asked: 0, ended: Promise.resolve() };
    this.#runs.set(key, run);
    run.ended = this.#repeat(key, run, work);
    return run.ended;
  }

  /** Once nothing runs. */
  async settled(): Promise<void> {
    while (this.#runs.size > 0) await Promise.allSettled([...this.#runs.values()].map(({ ended }) => ended));
  }

  async #repeat(key: string, run: Run, work: () => Promise<void>): Promise<void> {
    try {
      let heard: number;
      do {
        heard = run.asked;
        await work();
      } while (run.asked !== heard);
    } finally {
      // In the same moment as the last look at what was asked: between the two an ask would be taken and never heard.
      this.#runs.delete(key);
    }
  }
}
