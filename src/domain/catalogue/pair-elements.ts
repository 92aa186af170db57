import { live } from './live.ts';
import type { GivenStandard, Standard } from './product.ts';

/** A text by which an element is known on each side. An element without one is not known by it. */
export interface Trait<G, T> {
  readonly given: (element: G) => string | undefined;
  readonly current: (element: T) => string | undefined;
}

const byText = <E>(elements: Iterable<E>, textOf: (element: E) => string | undefined): Map<string, E[]> => {
  const found = new Map<string, E[]>();
  for (const element of elements) {
    const text = textOf(element);
    if (text === undefined) continue;
    const equal = found.get(text);
    if (equal) equal.push(element);
    else found.set(text, [element]);
  }
  return found;
};

/** Finds which current element each given one means. No current element is meant twice. */
export class Pairs<G extends GivenStandard, T extends Standard> {
  private readonly found = new Map<G, T>();
  private readonly freeGiven: Set<G>;
  private readonly freeCurrent: Set<T>;

  /** An id is the surest sign: an element with an id means no other. */
  constructor(
    private readonly given: readonly G[],
    private readonly current: readonly T[],
  ) {
    this.freeGiven = new Set(given.filter(({ id }) => id === undefined));
    this.freeCurrent = new Set(current);
    const byId = new Map(current.map((element) => [element.id, element]));
    for (const element of given) {
      const meant = element.id === undefined ? undefined : byId.get(element.id);
      if (meant) this.pair(element, meant);
    }
  }

  get free(): readonly T[] {
    return [...this.freeCurrent];
  }

  of(element: G): T | undefined {
    return this.found.get(element);
  }

  /** Pairs the elements with a text that no other free element of their side has. */
  byUnique(trait: Trait<G, T>): void {
    this.byEqual(trait, (given, current) => given === 1 && current === 1);
  }

  /** Pairs the elements with equal texts in their order. */
  inOrder(trait: Trait<G, T>): void {
    this.byEqual(trait, () => true);
  }

  /** Pairs the only elements of both sides. */
  alone(): void {
    const [only, second] = live(this.current);
    const [given] = this.freeGiven;
    if (given && this.given.length === 1 && only && !second && this.freeCurrent.has(only)) this.pair(given, only);
  }

  private byEqual(trait: Trait<G, T>, isSure: (given: number, current: number) => boolean): void {
    if (this.freeGiven.size === 0 || this.freeCurrent.size === 0) return;
    const current = byText(this.freeCurrent, trait.current);
    for (const [text, elements] of byText(this.freeGiven, trait.given)) {
      const equal = current.get(text) ?? [];
      if (!isSure(elements.length, equal.length)) continue;
      for (const [at, element] of elements.entries()) {
        const meant = equal[at];
        if (meant) this.pair(element, meant);
      }
    }
  }

  private pair(given: G, current: T): void {
    this.found.set(given, current);
    this.freeGiven.delete(given);
    this.freeCurrent.delete(current);
  }
}
