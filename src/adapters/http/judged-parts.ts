import type { Renewal } from './renewal.ts';

export interface JudgedOptions {
  readonly renewal: Renewal;
  /** Sent in place of the rest when the access of the reader ends. */
  readonly lastWords?: string;
}

/**
 * A long answer in parts, each of some texts. Its reader is judged again before each part is sent, and before its end: once its
 * access has ended, the answer is cut.
 */
export class JudgedParts implements AsyncIterable<string> {
  readonly #parts: AsyncIterable<Iterable<string>>;
  readonly #options: JudgedOptions;
  #isCut = false;

  constructor(parts: AsyncIterable<Iterable<string>>, options: JudgedOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  /** True when it ended too early. */
  get isCut(): boolean {
    return this.#isCut;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    const { renewal, lastWords } = this.#options;
    for await (const part of this.#thenEnd()) {
      if (await renewal.isAllowed()) {
        yield* part;
        continue;
      }
      this.#isCut = true;
      if (lastWords !== undefined) yield lastWords;
      return;
    }
  }

  /** A store that was erased meanwhile has no more parts either, so the end is judged as a part is. */
  async *#thenEnd(): AsyncGenerator<Iterable<string>> {
    yield* this.#parts;
    yield [];
  }
}
