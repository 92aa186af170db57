import { isEqualExcept } from '../values/equal.ts';
import { completeRecord } from './fields/complete.ts';
import type { Place, Rules } from './fields/complete.ts';
import type { RecordField } from './fields/kinds.ts';
import type { FirstFault } from './first-fault.ts';
import { elementMatcher } from './match-elements.ts';
import type { GivenStandard, Standard } from './product.ts';
import { recordWithStored } from './stored-fields.ts';
import type { WriteContext } from './write-context.ts';

const deletionTime = ({ isDeleted, deletedAt = null }: GivenStandard, now: string): string | null =>
  isDeleted === false ? null : (deletedAt ?? (isDeleted ? now : null));

/** The standard fields of an element. An absent one comes from the current element or is made. */
const standard = (given: GivenStandard, current: Standard | undefined, { storeId, nextId, now }: WriteContext): Standard => {
  const deletedAt = deletionTime(given, now);
  return {
    id: given.id ?? current?.id ?? nextId(),
    tenantId: storeId,
    createdAt: given.createdAt ?? current?.createdAt ?? now,
    updatedAt: given.updatedAt ?? current?.updatedAt ?? null,
    deletedAt,
    isDeleted: deletedAt !== null,
  };
};

/**
 * Sets the time of the change to now when a field changed, unless the document gives a time of its
 * own.
 */
export const stamped = <T extends Standard>(
  completed: T,
  current: T | undefined,
  givenTime: string | null | undefined,
  now: string,
): T => {
  if (!current || isEqualExcept(completed, current, 'updatedAt')) return completed;
  return givenTime != null && givenTime !== current.updatedAt ? completed : { ...completed, updatedAt: now };
};

/** Where an element is. */
export interface At<T> extends Place {
  readonly id: string;
  /** Its name in messages, for example `variants[0]`. */
  readonly field: string;
  readonly before: T | undefined;
}

/** How the elements of one list are matched and completed. */
export interface ElementKind<T, G> {
  readonly record: RecordField;
  /** The name of the list in messages. */
  readonly field: string;
  /**
   * The natural key. An element without an id is the current one of the same key; the n-th of equal
   * keys is the n-th.
   */
  readonly key: (element: G | T) => unknown;
  /**
   * The stored fields that are not kept, because they follow from fields that the given element may
   * change.
   */
  readonly follows?: (element: G, before: T) => readonly string[];
  readonly rules: Rules<T, G, At<T>>;
}

/** A position that equals the element's place in the list follows the list. */
const followingPosition = <T extends { readonly position?: number }>(before: T, current: readonly T[]): readonly string[] =>
  current[before.position ?? -1] === before ? ['position'] : [];

/** Completes the elements of a list that a document gives, in place of the current ones. */
export const completeElements = <T extends Standard & { readonly position?: number }, G extends GivenStandard>(
  context: WriteContext & { readonly faults: FirstFault },
  given: readonly G[] | undefined,
  current: readonly T[],
  { record, field: list, key, follows, rules }: ElementKind<T, G>,
): T[] => {
  const elements = given ?? [];
  if (elements.length === 0) return [];
  const match = elementMatcher(elements, current, key);
  return elements.map((element, index) => {
    const before = match(element);
    const filled =
      context.keepsStored && before
        ? recordWithStored(element, before, [...followingPosition(before, current), ...(follows?.(element, before) ?? [])])
        : element;
    const base = standard(element, before, context);
    const field = `${list}[${index}]`;
    const missing = (name: string): void => context.faults.add(`${field}.${name} is required.`);
    const completed = completeRecord<T, G, At<T>>(record, base, filled, rules, { id: base.id, index, field, before, missing });
    return stamped(completed, before, element.updatedAt, context.now);
  });
};
