import { nearestName } from '../values/nearest-name.ts';
import { shortened } from '../values/text.ts';
import type { SubscribableType } from './event.ts';

/** What a value in the data of an event may be. A list is what its elements are. */
export type FieldKind = 'text' | 'number' | 'boolean' | 'record';

/** What the data of an event type has at a place. */
export interface FieldTree {
  readonly kinds: readonly FieldKind[];
  /** Whether it may have fields that nobody has listed, of any kind. */
  readonly isOpen: boolean;
  readonly fields: Readonly<Record<string, FieldTree>>;
}

/** The data of each event type, as its schema says it. */
export type EventFields = Readonly<Record<SubscribableType, FieldTree>>;

export const OPEN_FIELD: FieldTree = { kinds: [], isOpen: true, fields: {} };

export const MAX_PATH_LENGTH = 255;

export const segmentsOf = (path: string): readonly string[] => path.split('.');

/** What is at the path, which leads through lists to their elements. Null where the data has no such field. */
export const fieldAt = (tree: FieldTree, path: string): FieldTree | null => {
  let at = tree;
  for (const name of segmentsOf(path)) {
    const next = Object.hasOwn(at.fields, name) ? at.fields[name] : undefined;
    if (next === undefined) return at.isOpen ? OPEN_FIELD : null;
    at = next;
  }
  return at;
};

const pathsIn = (tree: FieldTree): string[] =>
  Object.entries(tree.fields).flatMap(([name, below]) => [name, ...pathsIn(below).map((path) => `${name}.${path}`)]);

/** Says which path of an event type was probably meant. The path given is quoted. */
export const unknownField = (type: SubscribableType, tree: FieldTree, path: string): string => {
  const given = shortened(path, MAX_PATH_LENGTH);
  const nearest = nearestName(given, pathsIn(tree));
  return `${JSON.stringify(given)} is not a field in the data of ${type}.${nearest === null ? '' : ` The nearest field is ${nearest.name}.`}`;
};

/** The values at a path that are looked at, and the elements of a list on the way to them. */
export const MAX_PATH_VALUES = 1_000;

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

/** The first values at the path in some data. Each element of a list is one. */
const valuesAt = (data: unknown, path: string): readonly unknown[] => {
  let values: readonly unknown[] = [data];
  for (const name of segmentsOf(path)) {
    const found: unknown[] = [];
    for (const value of values) {
      if (found.length === MAX_PATH_VALUES) break;
      if (typeof value === 'object' && value !== null && Object.hasOwn(value, name))
        collect((value as Readonly<Record<string, unknown>>)[name], found);
    }
    values = found;
  }
  return values;
};

/** Gives the first values at a path. */
export type PathValues = (path: string) => readonly unknown[];

/** Of this data. It walks each path once, for all the filters that ask for it. */
export const pathValues = (data: unknown): PathValues => {
  const walked = new Map<string, readonly unknown[]>();
  return (path) => {
    const known = walked.get(path);
    if (known) return known;
    const values = valuesAt(data, path);
    walked.set(path, values);
    return values;
  };
};
