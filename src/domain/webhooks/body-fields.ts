import { ok, type Refusal, type Result } from '../result.ts';
import type { SubscribableType } from './event.ts';
import { fieldAt, MAX_PATH_LENGTH, segmentsOf, unknownField, type EventFields } from './event-fields.ts';
import { invalid } from './webhook-url.ts';

export const MAX_BODY_FIELDS = 50;

export const parseFields = (fields: readonly string[] | null): Result<readonly string[] | null, 'invalid'> => {
  if (fields === null) return ok(null);
  if (fields.length === 0) return invalid('fields must not be empty.');
  if (fields.some((path) => path.length > MAX_PATH_LENGTH)) {
    return invalid(`fields must have paths of at most ${MAX_PATH_LENGTH} characters.`);
  }
  return ok([...new Set(fields)]);
};

/** Refuses a path that no type has. One that only some have is left out of the others. */
export const checkFields = (
  fields: readonly string[],
  types: readonly SubscribableType[],
  eventFields: EventFields,
): Refusal<'invalid'> | null => {
  const [first] = types;
  const unknown = fields.find((path) => types.every((type) => fieldAt(eventFields[type], path) === null));
  return unknown === undefined || first === undefined
    ? null
    : invalid(`fields: ${unknownField(first, eventFields[first], unknown)}`);
};

/** The names to keep at a place, each with those below it. Null keeps all of what is there. */
type Kept = ReadonlyMap<string, Kept> | null;

const keptOf = (paths: readonly (readonly string[])[]): Kept => {
  if (paths.some(({ length }) => length === 0)) return null;
  const below = new Map<string, (readonly string[])[]>();
  for (const [name = '', ...rest] of paths) below.set(name, [...(below.get(name) ?? []), rest]);
  return new Map([...below].map(([name, rests]) => [name, keptOf(rests)]));
};

const cut = (value: unknown, kept: Kept): unknown => {
  if (kept === null) return value;
  if (Array.isArray(value)) return value.map((element) => cut(element, kept));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const inside = kept.get(name);
    return inside === undefined ? [] : [[name, cut(member, inside)] as const];
  });
  return Object.fromEntries(members);
};

/**
 * The frozen body with these fields of its data, and its id. The same body and fields give the same
 * bytes.
 */
export const cutBody = (body: string, fields: readonly string[] | null): string => {
  if (fields === null) return body;
  const whole = JSON.parse(body) as Readonly<Record<string, unknown>>;
  return JSON.stringify({ ...whole, data: cut(whole['data'], keptOf(['id', ...fields].map(segmentsOf))) });
};
