import type { ListField } from '../fields/kinds.ts';
import type { GivenStandard, Standard } from './product.ts';

/** Reads the natural key of an element of the list. */
export const naturalKey =
  ({ key: [first = '', second = first] = [] }: Pick<ListField, 'key'>) =>
  (element: object): unknown => {
    const values = element as Readonly<Record<string, unknown>>;
    return values[first] ?? values[second];
  };

/** The current elements of one natural key that no given element names by id. */
interface Queue<T> {
  readonly elements: T[];
  next: number;
}

const queuesByKey = <T extends Standard>(
  current: readonly T[],
  named: ReadonlySet<string>,
  key: (element: T) => unknown,
): Map<unknown, Queue<T>> => {
  const queues = new Map<unknown, Queue<T>>();
  for (const element of current) {
    if (named.has(element.id)) continue;
    const elementKey = key(element);
    const queue = queues.get(elementKey);
    if (queue) queue.elements.push(element);
    else queues.set(elementKey, { elements: [element], next: 0 });
  }
  return queues;
};

/** Fast path: both lists have one element (typical for stock). A product has thousands of such lists. */
const singleMatcher =
  <T extends Standard, G extends GivenStandard>(only: T, key: (element: G | T) => unknown) =>
  (element: G): T | undefined =>
    (element.id === undefined ? key(element) === key(only) : element.id === only.id) ? only : undefined;

/**
 * Finds the current element that a given one means: the one of its id, or else the next unused one
 * of its natural key.
 */
export const elementMatcher = <T extends Standard, G extends GivenStandard>(
  given: readonly G[],
  current: readonly T[],
  key: (element: G | T) => unknown,
): ((element: G) => T | undefined) => {
  const [first] = current;
  if (first === undefined) return () => undefined;
  if (given.length === 1 && current.length === 1) return singleMatcher(first, key);
  const byId: ReadonlyMap<string, T> = new Map(current.map((element) => [element.id, element]));
  const named = new Set(given.flatMap(({ id }) => (id === undefined ? [] : [id])));
  const queues = queuesByKey(current, named, key);
  return (element) => {
    if (element.id !== undefined) return byId.get(element.id);
    const queue = queues.get(key(element));
    if (!queue) return undefined;
    queue.next += 1;
    return queue.elements[queue.next - 1];
  };
};
