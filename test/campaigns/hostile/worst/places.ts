import fc from 'fast-check';

import { resolved, type Operation, type Schema } from '../support/operations.ts';

type Side = Operation['side'];
export type Kind = 'object' | 'map' | 'array' | 'string' | 'number' | 'any';

/** A place in a JSON body where something may be put, by what its schema takes there. */
export interface Place {
  readonly path: readonly (string | number)[];
  readonly kind: Kind;
  readonly schema: Schema;
}

const MAX_DEPTH = 8;
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const typesOf = ({ type }: Schema): string[] => (type === undefined ? [] : [type].flat());
/** The alternatives of a schema, or the schema itself. */
const variantsOf = (schema: Schema, side: Side): Schema[] => {
  const it = resolved(schema, side);
  return it.anyOf ? it.anyOf.flatMap((one) => variantsOf(one, side)) : [it];
};

const kindsOf = (schema: Schema): Kind[] => {
  if (schema.enum ?? schema.const !== undefined) return [];
  if (schema.type === undefined) return ['any'];
  const names = new Set(typesOf(schema).map((type) => (type === 'integer' ? 'number' : type)));
  const isMap = typeof schema.additionalProperties === 'object';
  return [
    ...(['object', 'array', 'string', 'number'] as const).filter((kind) => names.has(kind)),
    ...(isMap ? (['map'] as const) : []),
  ];
};

/** The key under which a place in a map is tried. */
const KEY = 'k1';

const within = (schema: Schema): (readonly [string | number, Schema])[] => [
  ...Object.entries(schema.properties ?? {}),
  ...(typeof schema.additionalProperties === 'object' ? [[KEY, schema.additionalProperties] as const] : []),
  ...(schema.items ? [[0, schema.items] as const] : []),
];

/** Every place of a body by its schema, the body itself first; each once. */
export const placesOf = (schema: Schema, side: Side, path: Place['path'] = []): Place[] => {
  if (path.length > MAX_DEPTH) return [];
  const places = variantsOf(schema, side).flatMap((it) => [
    ...kindsOf(it).map((kind) => ({ path, kind, schema: it })),
    ...within(it).flatMap(([head, inner]) => placesOf(inner, side, [...path, head])),
  ]);
  return [...new Map(places.map((place) => [`${place.path.join('.')} ${place.kind}`, place])).values()];
};

const uuidOf = (number: number): string => `019a0000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;

const matching = new Map<string, string>();
/** A text for a pattern, always the same one: making it costs more than sending it. */
const textMatching = (pattern: string): string => {
  const text = matching.get(pattern) ?? fc.sample(fc.stringMatching(new RegExp(pattern)), { seed: 1, numRuns: 1 })[0] ?? '';
  matching.set(pattern, text);
  return text;
};

const smallText = ({ format, pattern, minLength = 0 }: Schema, number: number): string => {
  if (format === 'uuid') return uuidOf(number);
  if (format === 'date-time') return '2026-01-02T03:04:05Z';
  const text = `s${number}`.padEnd(minLength, 's');
  if (pattern === undefined || new RegExp(pattern, 'u').test(text)) return text;
  return textMatching(pattern);
};

/** The smallest value that fits; its texts and ids differ with the number. */
export const smallest = (schema: Schema, side: Side, number = 0): unknown => {
  const it = variantsOf(schema, side)[0] ?? {};
  const literals = it.const === undefined ? it.enum : [it.const];
  if (literals) return literals[0];
  const [type] = typesOf(it);
  if (type === 'object') return smallObject(it, side, number);
  if (type === 'string') return smallText(it, number);
  if (type === 'integer' || type === 'number') return it.minimum ?? 1;
  return { boolean: true, array: [] as unknown[] }[type ?? ''] ?? null;
};

const smallObject = ({ properties = {}, required = [] }: Schema, side: Side, number: number): Record<string, unknown> =>
  Object.fromEntries(required.map((name) => [name, smallest(properties[name] ?? {}, side, number)]));

const variantWith = (schema: Schema, side: Side, head: string | number): Schema | undefined => {
  for (const it of variantsOf(schema, side)) {
    const found = within(it).find(([name]) => name === head);
    if (found) return found[1];
  }
  return undefined;
};

/**
 * The value with another at this place; what is missing on the way there is as small as it may be.
 */
export const withAt = (value: unknown, schema: Schema, side: Side, path: Place['path'], other: unknown): unknown => {
  const [head, ...rest] = path;
  if (head === undefined) return other;
  const inner = variantWith(schema, side, head) ?? {};
  if (typeof head === 'number') {
    const [first = smallest(inner, side), ...others] = Array.isArray(value) ? (value as unknown[]) : [];
    return [withAt(first, inner, side, rest, other), ...others];
  }
  const whole = variantsOf(schema, side).find((it) => within(it).some(([name]) => name === head)) ?? {};
  const object = isObject(value) ? value : (smallest(whole, side) as Record<string, unknown>);
  return { ...object, [head]: withAt(object[head], inner, side, rest, other) };
};
