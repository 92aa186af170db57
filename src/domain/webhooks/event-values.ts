import { FoundValues } from './found-values.ts';

/** The values at a path that are looked at, and the elements of a list on the way to them. */
export const MAX_PATH_VALUES = 1_000;
/**
 * Steps of work in which the filters of one owner judge an event: values that are looked at, of long texts several for each. What they
 * would ask beyond that stays open, and an open answer stops no event.
 */
export const MAX_FILTER_STEPS = 200_000;
/** The values that are kept for other filters, about 10 MB. */
const KEPT_VALUES = 500_000;

/** Adds the value, or the elements of a list, as far as there is room. */
const collect = (value: unknown, found: unknown[]): void => {
  if (!Array.isArray(value)) {
    found.push(value);
    return;
  }
  for (const element of value) {
    if (found.length === MAX_PATH_VALUES) return;
    collect(element, found);
  }
};

const membersOf = (values: readonly unknown[], name: string): readonly unknown[] => {
  const found: unknown[] = [];
  for (const value of values) {
    if (found.length === MAX_PATH_VALUES) break;
    if (typeof value === 'object' && value !== null && Object.hasOwn(value, name))
      collect((value as Readonly<Record<string, unknown>>)[name], found);
  }
  return found;
};

/** The values of one event. Its data is walked once for each path, by all filters together. Knows what the filters of each owner have cost. */
export class EventValues {
  readonly #data: FoundValues;
  readonly #walked = new Map<string, FoundValues>();
  readonly #spent = new Map<string | null, number>();
  #kept = 0;
  #steps = 0;

  constructor(data: unknown) {
    this.#data = new FoundValues([data]);
  }

  /** Steps of all filters so far. */
  get steps(): number {
    return this.#steps;
  }

  /** Asks about the first values at the path, where each element of a list is one. Returns null when the owner's steps are spent. */
  ask(path: string, owner: string | null, ask: (found: FoundValues) => boolean): boolean | null {
    const spent = this.#spent.get(owner) ?? 0;
    if (spent >= MAX_FILTER_STEPS) return null;
    const before = this.#steps;
    const found = this.#at(path);
    const answer = ask(found);
    this.#steps += found.takeSteps();
    this.#spent.set(owner, spent + this.#steps - before);
    return answer;
  }

  /** The first value at a path of one name. */
  first(name: string): unknown {
    return this.#at(name).all[0];
  }

  #at(path: string): FoundValues {
    const known = this.#walked.get(path);
    if (known) return known;
    const end = path.lastIndexOf('.');
    const above = end === -1 ? this.#data : this.#at(path.slice(0, end));
    const found = new FoundValues(membersOf(above.all, path.slice(end + 1)));
    this.#steps += 1 + above.all.length + found.all.length;
    this.#keep(path, found);
    return found;
  }

  /** Many filters with many paths do not fill the memory. */
  #keep(path: string, found: FoundValues): void {
    this.#kept += 1 + found.all.length;
    if (this.#kept > KEPT_VALUES) {
      this.#walked.clear();
      this.#kept = found.all.length;
    }
    this.#walked.set(path, found);
  }
}
