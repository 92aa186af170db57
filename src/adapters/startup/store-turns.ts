import type { StoreKey } from '../../domain/store-key.ts';

interface Turns {
  running: number;
  readonly waiting: Set<() => void>;
}

/**
 * Bounds what is done for each store at once in this process, so that the work of one store never
 * takes all connections. p-limit has neither a longest wait nor a limit for each store.
 */
export class StoreTurns {
  readonly #stores = new Map<StoreKey, Turns>();

  constructor(
    private readonly atOnce: number,
    private readonly maxWaitMs: number,
  ) {}

  /** Does the work when its turn comes; null when it does not come in time. */
  async run<T>(store: StoreKey, work: () => Promise<T>): Promise<T | null> {
    const turns = this.#stores.get(store) ?? { running: 0, waiting: new Set() };
    this.#stores.set(store, turns);
    if (turns.running < this.atOnce) turns.running += 1;
    else if (!(await this.#turnOf(turns))) return null;
    try {
      return await work();
    } finally {
      this.#pass(store, turns);
    }
  }

  #turnOf({ waiting }: Turns): Promise<boolean> {
    return new Promise((resolve) => {
      const begin = (): void => {
        clearTimeout(timer);
        waiting.delete(begin);
        resolve(true);
      };
      const timer = setTimeout(() => {
        waiting.delete(begin);
        resolve(false);
      }, this.maxWaitMs);
      waiting.add(begin);
    });
  }

  /** The place goes to the first that waits. */
  #pass(store: StoreKey, turns: Turns): void {
    const [next] = turns.waiting;
    if (next) {
      next();
      return;
    }
    turns.running -= 1;
    if (turns.running === 0) this.#stores.delete(store);
  }
}
