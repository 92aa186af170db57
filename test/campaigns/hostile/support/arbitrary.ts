import fc from 'fast-check';

import { VALUES } from './payloads.ts';
import { resolved, type Operation, type Schema } from './operations.ts';

type Value = fc.Arbitrary<unknown>;

const MAX_DEPTH = 5;
/** Every code point but half surrogate pairs. */
const anyText = fc.string({ unit: 'binary', maxLength: 40 });

const textOf = ({ format, pattern, minLength = 0, maxLength = 40 }: Schema, ids: readonly string[]): Value => {
  if (format === 'uuid') return fc.oneof(fc.constantFrom(...ids), fc.uuid());
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, Math.min(maxLength, 300)) });
};

const objectOf = (schema: Schema, side: Operation['side'], ids: readonly string[], depth: number): Value => {
  const { properties = {}, required = [], additionalProperties } = schema;
  const isDeep = depth >= MAX_DEPTH;
  const fields = Object.entries(properties).filter(([name]) => !isDeep || required.includes(name));
  const known = fc.record(Object.fromEntries(fields.map(([name, field]) => [name, fitting(field, side, ids, depth + 1)])), {
    requiredKeys: [...required],
  });
  if (typeof additionalProperties !== 'object' || isDeep) return known;
  return fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), fitting(additionalProperties, side, ids, depth + 1), {
    maxKeys: 2,
  });
};

const ofType = (type: string, schema: Schema, side: Operation['side'], ids: readonly string[], depth: number): Value => {
  if (type === 'string') return textOf(schema, ids);
  if (type === 'integer') return fc.oneof(fc.integer({ min: -5, max: 1_000 }), fc.maxSafeInteger());
  if (type === 'number')
    return fc.oneof(fc.integer({ min: -5, max: 1_000 }), fc.double({ noNaN: true, noDefaultInfinity: true }));
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type === 'array')
    return fc.array(fitting(schema.items ?? {}, side, ids, depth + 1), { maxLength: depth >= MAX_DEPTH ? 0 : 3 });
  return objectOf(schema, side, ids, depth);
};

/**
 * Values as the schema describes them, or nearly: bounds that only the description tells may be
 * passed. Ids are these, or nobody's.
 */
export const fitting = (schema: Schema, side: Operation['side'], ids: readonly string[], depth = 0): Value => {
  const it = resolved(schema, side);
  if (it.enum) return fc.constantFrom(...it.enum);
  if (it.const !== undefined) return fc.constant(it.const);
  if (it.anyOf) return fc.oneof(...it.anyOf.map((one) => fitting(one, side, ids, depth)));
  if (it.type === undefined) return fc.oneof(anyText, fc.jsonValue());
  const types = [it.type].flat();
  return fc.oneof(...types.map((type) => ofType(type, it, side, ids, depth)));
};

/**
 * The JSON text of a value with one of its parts, the one of that number, replaced by text that
 * need be no JSON.
 */
const spoilt = (value: unknown, part: number, text: string): string => {
  let count = -1;
  const written = (node: unknown): string => {
    count += 1;
    if (count === part) return text;
    if (Array.isArray(node)) return `[${node.map(written).join(',')}]`;
    if (typeof node !== 'object' || node === null) return JSON.stringify(node);
    return `{${Object.entries(node)
      .map(([name, field]) => `${JSON.stringify(name)}:${written(field)}`)
      .join(',')}}`;
  };
  return written(value);
};

/** The number of parts that can be replaced: the value and all values in it. */
const partsOf = (value: unknown): number =>
  typeof value !== 'object' || value === null ? 1 : Object.values(value).reduce((sum: number, node) => sum + partsOf(node), 1);

/** JSON text of a body that fits, that fits but for one part, or that was never meant to. */
export const bodyText = (
  schema: Schema,
  example: unknown,
  side: Operation['side'],
  ids: readonly string[],
): fc.Arbitrary<string> => {
  const good = fc.oneof(
    { weight: 3, arbitrary: fitting(schema, side, ids) },
    { weight: 1, arbitrary: fc.constant(example ?? {}) },
  );
  const values = fc.oneof(
    fc.constantFrom(...VALUES.map(([, text]) => text)),
    fc.jsonValue().map((value) => JSON.stringify(value)),
  );
  const one = fc.tuple(good, fc.nat(), values).map(([value, part, text]) => spoilt(value, part % partsOf(value), text));
  return fc.oneof(
    { weight: 4, arbitrary: one },
    { weight: 3, arbitrary: good.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: anyText },
  );
};

/** Text of another kind than JSON: an example with some of its characters replaced by others. */
export const spoiltText = (example: string): fc.Arbitrary<string> =>
  fc
    .array(
      fc.record({
        at: fc.nat(example.length),
        length: fc.nat(5),
        by: fc.oneof(anyText, fc.constantFrom('"', ',', '\n', '""', '{')),
      }),
      {
        maxLength: 4,
      },
    )
    .map((cuts) => cuts.reduce((text, { at, length, by }) => `${text.slice(0, at)}${by}${text.slice(at + length)}`, example));
