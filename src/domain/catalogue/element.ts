/* eslint-disable complexity -- defaults, one for each field: the `??` are a list, no branching */
import type { Sketch, Standard } from './product.ts';
import { STANDARD_FIELDS, withStored } from './stored-fields.ts';

/** What completing a document needs besides the document. */
export interface Making {
  readonly storeId: string;
  readonly nextId: () => string;
  /** ISO 8601. */
  readonly now: string;
  /** A field that a document lacks keeps what is stored. Otherwise it takes its default, and the document is the product whole. */
  readonly keepsStored?: boolean;
}

export const same = (a: unknown, b: unknown): boolean => {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length && keys.every((key) => Object.hasOwn(right, key) && same(left[key], right[key]))
  );
};

/** The standard fields of an element: what is given stays, what is left out comes from the current element or is made. */
const standard = (given: Sketch<Standard>, current: Standard | undefined, { storeId, nextId, now }: Making): Standard => {
  const deletedAt = given.isDeleted === false ? null : (given.deletedAt ?? (given.isDeleted === true ? now : null));
  return {
    id: given.id ?? current?.id ?? nextId(),
    tenantId: storeId,
    createdAt: given.createdAt ?? current?.createdAt ?? now,
    updatedAt: given.updatedAt ?? current?.updatedAt ?? null,
    deletedAt,
    isDeleted: deletedAt !== null,
  };
};

/** The time of the change: now when something else changed, unless the document brings another one than the current. */
export const stamped = <T extends Standard>(
  made: T,
  current: T | undefined,
  given: string | null | undefined,
  now: string,
): T => {
  if (!current || same({ ...made, updatedAt: null }, { ...current, updatedAt: null })) return made;
  return given != null && given !== current.updatedAt ? made : { ...made, updatedAt: now };
};

/** Finds the current element that each given one means: by its id, or else the next of its natural key that no given id names. */
const matcher = <T extends Standard, G extends Sketch<Standard>>(
  given: readonly G[],
  current: readonly T[],
  keys: { given: (element: G) => unknown; current: (element: T) => unknown },
): ((element: G) => T | undefined) => {
  if (current.length === 0) return () => undefined;
  const byId = new Map(current.map((element) => [element.id, element]));
  const named = new Set(given.flatMap(({ id }) => (id === undefined ? [] : [id])));
  const byKey = new Map<unknown, { readonly free: T[]; next: number }>();
  for (const element of current) {
    if (named.has(element.id)) continue;
    const key = keys.current(element);
    const queue = byKey.get(key);
    if (queue) queue.free.push(element);
    else byKey.set(key, { free: [element], next: 0 });
  }
  return (element) => {
    if (element.id !== undefined) return byId.get(element.id);
    const queue = byKey.get(keys.given(element));
    if (!queue) return undefined;
    queue.next += 1;
    return queue.free[queue.next - 1];
  };
};

/** What the elements of a list are matched by. */
interface Keys<T, G> {
  given: (element: G) => unknown;
  current: (element: T) => unknown;
  /** The fields of a stored element that follow from others, which the given one may change. They are not kept as stored. */
  follows?: (element: G, before: T) => readonly string[];
}

/** A position that only told the element's place in the list follows the list. */
const followedPosition = (before: { readonly position?: number }, place: number | undefined): readonly string[] =>
  before.position === place ? ['position'] : [];

/**
 * Completes a list of elements. One without an id is the current element of the same natural key: the n-th of equal keys is the n-th,
 * those that another element names by id left out.
 */
export const completeElements = <T extends Standard & { position?: number }, G extends Sketch<Standard>>(
  given: readonly G[] | undefined,
  current: readonly T[],
  making: Making,
  keys: Keys<T, G>,
  complete: (element: G, base: Standard, index: number, before: T | undefined) => T,
): T[] => {
  const elements = given ?? [];
  if (elements.length === 0) return [];
  const match = matcher(elements, current, keys);
  const places = making.keepsStored && current.length > 0 ? new Map(current.map(({ id }, place) => [id, place])) : null;
  return elements.map((element, index) => {
    const before = match(element);
    const filled =
      places && before
        ? withStored(element, before, [
            ...STANDARD_FIELDS,
            ...followedPosition(before, places.get(before.id)),
            ...(keys.follows?.(element, before) ?? []),
          ])
        : element;
    const made = complete(filled, standard(element, before, making), index, before);
    return stamped(made, before, element.updatedAt, making.now);
  });
};

/** A map from locale to texts, with null for what a translation leaves out. */
export const completeTranslations = <T extends object>(
  given: Record<string, Sketch<T> | undefined> | undefined,
  empty: T,
): Record<string, T> =>
  Object.fromEntries(
    Object.entries(given ?? {}).map(([locale, texts]) => [
      locale,
      Object.fromEntries(
        Object.entries(empty).map(([field, none]: [string, unknown]) => [
          field,
          (texts as Record<string, unknown> | undefined)?.[field] ?? none,
        ]),
      ) as T,
    ]),
  );

/** Ends the completion of a document; the message names the field. Never leaves completeProduct. */
export class Fault extends Error {}

export const needed = <T>(value: T | null | undefined, field: string): T => {
  if (value == null || value === '') throw new Fault(field.includes(' ') ? field : `${field}: required`);
  return value;
};
