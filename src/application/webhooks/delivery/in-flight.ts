/**
 * Counts the attempts in flight and lets a loop wait for one to end. Each wait is one promise: a
 * race of all attempts would allocate a promise for each of them, and that is most of what a turn
 * would allocate.
 */
export class InFlightAttempts {
  readonly #waiting: (() => void)[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  begin(): void {
    this.#count += 1;
  }

  end(): void {
    this.#count -= 1;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  oneEnds(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  async allEnd(): Promise<void> {
    while (this.#count > 0) await this.oneEnds();
  }
}
