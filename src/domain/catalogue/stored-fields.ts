import type { Field, ListField, RecordField } from '../fields/kinds.ts';
import { naturalKey } from './match-elements.ts';

type Values = Readonly<Record<string, unknown>>;

const listWithStored = (list: ListField, part: RecordField, given: readonly object[], stored: readonly object[]): object[] => {
  const keyOf = naturalKey(list);
  const byKey = new Map(stored.map((element) => [keyOf(element), element]));
  return given.map((element) => {
    const before = byKey.get(keyOf(element));
    return before ? recordWithStored(part, element, before) : element;
  });
};

const mapWithStored = (part: RecordField, given: Values, stored: Values): Values =>
  Object.fromEntries(
    Object.entries(given).map(([key, value]) => {
      const before = Object.hasOwn(stored, key) ? stored[key] : undefined;
      return [key, before ? recordWithStored(part, value as object, before) : value];
    }),
  );

const valueWithStored = (field: Field | undefined, given: unknown, stored: unknown): unknown => {
  if (given === undefined) return stored;
  if (given === null || stored === null || (field?.kind !== 'list' && field?.kind !== 'map')) return given;
  // Rows have ids, and are completed one by one.
  if (field.of.kind !== 'record' || field.of.isRow) return given;
  if (field.kind === 'map') return mapWithStored(field.of, given as Values, stored as Values);
  return field.key ? listWithStored(field, field.of, given as object[], stored as object[]) : given;
};

/**
 * `given` with its absent (undefined) fields taken from `stored`, except for the named ones. A given
 * map or list replaces the stored one, but absent fields of a part that both have are taken from the
 * stored part. Null is a value.
 */
export const recordWithStored = <G extends object>(
  { fields }: RecordField,
  given: G,
  stored: object,
  except: readonly string[] = [],
): G => {
  const filled = { ...given } as Record<string, unknown>;
  for (const name of Object.keys(stored)) {
    if (!except.includes(name)) filled[name] = valueWithStored(fields[name], filled[name], (stored as Values)[name]);
  }
  return filled as G;
};
