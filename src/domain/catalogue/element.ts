import { isEqualExcept } from '../values/equal.ts';
import { completeRecord, type FieldPlace, type Rules } from './fields/complete.ts';
import type { Field, ListField, RecordField } from '../fields/kinds.ts';
import { isStandard } from '../fields/standard-fields.ts';
import type { FirstFault, WriteContext } from './write-context.ts';
import { elementMatcher, naturalKey } from './match-elements.ts';
import type { GivenStandard, Standard } from './product.ts';
import { recordWithStored } from './stored-fields.ts';

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

/** A record with lists of rows. */
interface Parent<T> {
  readonly id: string;
  /** Name in messages, for example `variants[0]`. Empty for the product. */
  readonly field: string;
  readonly before: T | undefined;
}

/** Position of an element. */
export interface At<T> extends FieldPlace, Parent<T> {}

type Context = WriteContext & { readonly faults: FirstFault };

/** Rules of a list's elements beyond its declaration. */
export interface Special<T, G> {
  /** Replaces the declared natural key. */
  readonly key?: (element: G | T) => unknown;
  /** Finds the current element that a given one means, in place of a key. */
  readonly matcher?: (given: readonly G[], current: readonly T[]) => (element: G) => T | undefined;
  /**
   * The stored fields that are not kept, because they follow from fields that the given element may
   * change.
   */
  readonly follows?: (element: G, before: T) => readonly string[];
  readonly rules?: Rules<T, G, At<T>>;
}

/** A list of a document that replaces the current one. */
export interface Elements<T, G> {
  readonly given: readonly G[] | undefined;
  readonly current: readonly T[] | undefined;
  readonly field: string;
  readonly parentId: string;
}

/** A position that equals the element's place in the list follows the list. */
const followingPosition = <T extends { readonly position?: number }>(before: T, current: readonly T[]): readonly string[] =>
  current[before.position ?? -1] === before ? ['position'] : [];

type Specials = Readonly<Record<string, Special<Standard, GivenStandard> | undefined>>;
type Values = Readonly<Record<string, unknown>>;
type RowsField = ListField<RecordField>;

/** The id of its parent, which only answers have, and its lists of rows. */
interface Shape {
  readonly parentId: string;
  readonly lists: readonly (readonly [name: string, list: RowsField])[];
}

const shapes = new Map<RecordField['fields'], Shape>();

const shapeOf = ({ fields }: RecordField): Shape => {
  const known = shapes.get(fields);
  if (known) return known;
  const own = Object.entries(fields).filter(([name]) => !isStandard(name));
  const [parentId = ''] = own.find(([, { kind, only }]) => kind === 'id' && only === 'answered') ?? [];
  const shape = { parentId, lists: own.filter((entry): entry is [string, RowsField] => isRows(entry[1])) };
  shapes.set(fields, shape);
  return shape;
};

const isRows = (field: Field): boolean => field.kind === 'list' && field.of.kind === 'record' && field.of.isRow;

/** The rules by which the lists of rows in a record are completed as they are declared, and as `special` says by their name. */
export const listRules = <T, G>(context: Context, record: RecordField, special: object = {}): Rules<T, G, Parent<T>> => {
  const rules: Record<string, unknown> = {};
  for (const [name, list] of shapeOf(record).lists) {
    rules[name] = (document: Values, { id, field, before }: Parent<Values>): Standard[] => {
      const given = document[name] as GivenStandard[] | undefined;
      if (!given?.length) return [];
      const current = before?.[name] as Standard[] | undefined;
      const elements = { given, current, field: field === '' ? name : `${field}.${name}`, parentId: id };
      return completeElements(context, list, elements, (special as Specials)[name]);
    };
  }
  return rules as Rules<T, G, Parent<T>>;
};

/** Completes the elements of a list that a document gives, in place of the current ones. */
export const completeElements = <T extends Standard & { readonly position?: number }, G extends GivenStandard>(
  context: Context,
  list: RowsField,
  { given = [], current = [], field: name, parentId }: Elements<T, G>,
  { key, matcher, follows, rules: own }: Special<T, G> = {},
): T[] => {
  if (given.length === 0) return [];
  const { of: record } = list;
  const rules = { [shapeOf(record).parentId]: () => parentId, ...listRules<T, G>(context, record), ...own } as Rules<T, G, At<T>>;
  const match = matcher?.(given, current) ?? elementMatcher(given, current, key ?? naturalKey(list));
  return given.map((element, index) => {
    const before = match(element);
    const filled =
      context.keepsStored && before
        ? recordWithStored(record, element, before, [
            ...followingPosition(before, current),
            ...(follows?.(element, before) ?? []),
          ])
        : element;
    const base = standard(element, before, context);
    const field = `${name}[${index}]`;
    const missing = (lacking: string): void => context.faults.add(`${field}.${lacking} is required.`);
    const completed = completeRecord<T, G, At<T>>(record, base, filled, rules, { id: base.id, index, field, before, missing });
    return stamped(completed, before, element.updatedAt, context.now);
  });
};
