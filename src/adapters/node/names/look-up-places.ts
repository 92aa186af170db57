interface Asker {
  open: number;
  /** Each begins one that waits. */
  readonly waiting: Set<() => void>;
}

export interface PlacesOptions {
  /** Look-ups of one asker at once. */
  readonly share: number;
  /** Look-ups of all askers at once. */
  readonly all: number;
  readonly maxWaitMilliseconds: number;
}

/**
 * Bounds the look-ups that run at once. The names of an asker wait behind its own alone; where all
 * places are taken, those who wait take turns.
 */
export class LookUpPlaces {
  readonly #options: PlacesOptions;
  readonly #askers = new Map<string, Asker>();
  /** The askers that wait. The first has the next turn. */
  readonly #turns = new Set<string>();
  readonly #waits = new Set<() => void>();
  #open = 0;

  constructor(options: PlacesOptions) {
    this.#options = options;
  }

  get open(): number {
    return this.#open;
  }

  get waiting(): number {
    return this.#waits.size;
  }

  /** Does the work once there is a place. `busy`: none was free in time. */
  async run<T>(askedBy: string, work: () => Promise<T>): Promise<T | 'busy'> {
    const asker = this.#askers.get(askedBy) ?? { open: 0, waiting: new Set() };
    this.#askers.set(askedBy, asker);
    if (this.#mayBegin(asker)) this.#begin(asker);
    else if (!(await this.#turnOf(askedBy, asker))) return 'busy';
    try {
      return await work();
    } finally {
      asker.open -= 1;
      this.#open -= 1;
      this.#forget(askedBy, asker);
      this.#pass();
    }
  }

  /** Nobody waits any more. */
  close(): void {
    for (const giveUp of this.#waits) giveUp();
  }

  #mayBegin({ open }: Asker): boolean {
    return open < this.#options.share && this.#open < this.#options.all;
  }

  #begin(asker: Asker): void {
    asker.open += 1;
    this.#open += 1;
  }

  #turnOf(askedBy: string, asker: Asker): Promise<boolean> {
    return new Promise((resolve) => {
      const leave = (hasBegun: boolean): void => {
        clearTimeout(timer);
        this.#waits.delete(giveUp);
        asker.waiting.delete(begin);
        if (asker.waiting.size === 0) this.#turns.delete(askedBy);
        resolve(hasBegun);
      };
      const begin = (): void => {
        this.#begin(asker);
        leave(true);
      };
      const giveUp = (): void => {
        leave(false);
        this.#forget(askedBy, asker);
      };
      const timer = setTimeout(giveUp, this.#options.maxWaitMilliseconds);
      this.#waits.add(giveUp);
      asker.waiting.add(begin);
      this.#turns.add(askedBy);
    });
  }

  #forget(askedBy: string, { open, waiting }: Asker): void {
    if (open === 0 && waiting.size === 0) this.#askers.delete(askedBy);
  }

  /** The place that became free goes to the next who waits and has less than a share. */
  #pass(): void {
    for (const askedBy of this.#turns) {
      const asker = this.#askers.get(askedBy);
      if (!asker || !this.#mayBegin(asker)) continue;
      this.#turns.delete(askedBy);
      this.#turns.add(askedBy);
      const [begin] = asker.waiting;
      begin?.();
      return;
    }
  }
}
