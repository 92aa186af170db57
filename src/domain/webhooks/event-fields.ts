import { nearestName } from '../values/nearest-name.ts';
import { shortened } from '../values/text.ts';
import type { SubscribableType } from './event.ts';

/** Kinds of values in the data of an event. A list has the kind of its elements. */
export type FieldKind = 'text' | 'number' | 'boolean' | 'record';

/** Fields of an event type's data. */
export interface FieldTree {
  readonly kinds: readonly FieldKind[];
  /** True when unlisted fields of any kind may be there. */
  readonly isOpen: boolean;
  readonly fields: Readonly<Record<string, FieldTree>>;
}

/** The data of each event type, as its schema says it. */
export type EventFields = Readonly<Record<SubscribableType, FieldTree>>;

export const OPEN_FIELD: FieldTree = { kinds: [], isOpen: true, fields: {} };

export const MAX_PATH_LENGTH = 255;

export const segmentsOf = (path: string): readonly string[] => path.split('.');

/** Follows the path, through lists to their elements. Null where the data has no such field. */
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
