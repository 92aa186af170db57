import type { ImageRefusal } from './image-refusal.ts';

/** The time that a fetch may take, in several stretches. Aborts it with the refusal of the stretch. */
export class Allowance {
  readonly #ending: AbortController;
  #left: number;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number, ending: AbortController) {
    this.#left = milliseconds;
    this.#ending = ending;
  }

  start(refusal: ImageRefusal): void {
    this.#since = performance.now();
    const over = () => this.#ending.abort(refusal);
    this.#timer = setTimeout(over, Math.max(1, this.#left));
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#left -= performance.now() - this.#since;
  }
}
