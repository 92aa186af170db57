/* eslint-disable complexity -- defaults, one for each field: the `??` are a list, no branching */
import type { Sketch, Standard } from './product.ts';

/** What completing a document needs besides the document. */
export interface Making {
  readonly storeId: string;
  readonly nextId: () => string;
  /** ISO 8601. */
  readonly now: string;
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

/**
 * Completes a list of elements. One without an id is the current element of the same natural key: the n-th of equal keys is the n-th,
 * those that another element names by id left out.
 */
export const completeElements = <T extends Standard, G extends Sketch<Standard>>(
  given: readonly G[] | undefined,
  current: readonly T[],
  making: Making,
  keys: { given: (element: G) => unknown; current: (element: T) => unknown },
  complete: (element: G, base: Standard, index: number, before: T | undefined) => T,
): T[] => {
  const elements = given ?? [];
  const named = new Set(elements.flatMap(({ id }) => (id === undefined ? [] : [id])));
  const free = current.filter(({ id }) => !named.has(id));
  return elements.map((element, index) => {
    const byKey = (): T | undefined => {
      const at = free.findIndex((candidate) => keys.current(candidate) === keys.given(element));
      return at === -1 ? undefined : free.splice(at, 1)[0];
    };
    const before = element.id === undefined ? byKey() : current.find(({ id }) => id === element.id);
    const made = complete(element, standard(element, before, making), index, before);
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
