/** A short text costs about as much to look at as any value, and a long one as much as this many characters of each. */
const CHARACTERS_OF_A_STEP = 32;
/** A list that is looked through as fast as an index of it. */
const SHORT = 8;

const isText = (value: unknown): value is string => typeof value === 'string';

/** Finds the place of the text in the sorted texts. */
const placeOf = (sorted: readonly string[], text: string): number => {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? '') < text) low = middle + 1;
    else high = middle;
  }
  return low;
};

/**
 * The values at a path of an event. All filters that judge the event share them, so that a question costs no more for the number of the
 * values: each index is made when it is first asked for. Only `contains` looks at each text again.
 */
export class FoundValues {
  #steps = 0;
  #set: ReadonlySet<unknown> | null = null;
  #texts: readonly string[] | null = null;
  #sorted: readonly string[] | null = null;
  #numbers: readonly [least: number, most: number] | null = null;
  #textSteps = 0;
  #hasValue: boolean | null = null;

  constructor(readonly all: readonly unknown[]) {}

  /** Returns the steps since the last call. */
  takeSteps(): number {
    const steps = this.#steps;
    this.#steps = 0;
    return steps;
  }

  hasValue(): boolean {
    this.#hasValue ??= this.all.some((value) => value !== null);
    return this.#hasValue;
  }

  has(value: unknown): boolean {
    this.#steps += 1;
    if (this.all.length <= SHORT) return this.all.includes(value);
    this.#set ??= new Set(this.all);
    return this.#set.has(value);
  }

  contains(part: string): boolean {
    const texts = this.#allTexts();
    this.#steps += this.#textSteps;
    return texts.some((text) => text.includes(part));
  }

  hasPrefix(prefix: string): boolean {
    const sorted = this.#inOrder();
    return sorted[placeOf(sorted, prefix)]?.startsWith(prefix) ?? false;
  }

  /** Compares values of the same kind only. */
  hasGreater(than: unknown): boolean {
    if (typeof than === 'number') return this.#ends()[1] > than;
    const greatest = this.#inOrder().at(-1);
    return isText(than) && greatest !== undefined && greatest > than;
  }

  hasLess(than: unknown): boolean {
    if (typeof than === 'number') return this.#ends()[0] < than;
    const [least] = this.#inOrder();
    return isText(than) && least !== undefined && least < than;
  }

  #allTexts(): readonly string[] {
    if (this.#texts === null) {
      this.#texts = this.all.filter(isText);
      this.#textSteps = this.#texts.reduce((sum, { length }) => sum + 1 + Math.floor(length / CHARACTERS_OF_A_STEP), 0);
    }
    return this.#texts;
  }

  /** By their code units, as texts compare. */
  #inOrder(): readonly string[] {
    this.#steps += 1;
    if (this.#sorted === null) {
      this.#sorted = this.#allTexts().toSorted();
      this.#steps += this.#textSteps * Math.ceil(Math.log2(this.#sorted.length + 1));
    }
    return this.#sorted;
  }

  #ends(): readonly [least: number, most: number] {
    this.#steps += 1;
    if (this.#numbers === null) {
      const numbers = this.all.filter((value) => typeof value === 'number');
      this.#numbers = [Math.min(...numbers), Math.max(...numbers)];
    }
    return this.#numbers;
  }
}
