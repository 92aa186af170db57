import { z } from 'zod';

import { UNREAD } from '../kit/fields.ts';

export type Json = Record<string, unknown>;

export type Side = 'input' | 'output';

/** Formats of zod whose further keywords say nothing to a reader of the document. */
const FORMATS_THAT_SAY_IT_ALL: ReadonlySet<unknown> = new Set(['uuid', 'date-time']);

const plainer = (zodSchema: z.core.$ZodTypes, jsonSchema: Json, side: Side): void => {
  delete jsonSchema['id'];
  if (FORMATS_THAT_SAY_IT_ALL.has(jsonSchema['format'])) delete jsonSchema['pattern'];
  // zod's readonly is about our own types; OpenAPI's readOnly says that a request may not hold the property.
  if (zodSchema instanceof z.ZodReadonly) delete jsonSchema['readOnly'];
  // Unknown members are read only to be named (domain/catalogue/ignored-members.ts): the types of clients do not have them.
  if (zodSchema instanceof z.ZodObject && zodSchema.def.catchall === UNREAD) delete jsonSchema['additionalProperties'];
  if (side === 'input') return;
  // The API grows by adding (docs/specification/requests.md, "Versions"): a client that refuses unknown fields would break.
  if (zodSchema instanceof z.ZodObject && zodSchema.def.catchall === undefined) delete jsonSchema['additionalProperties'];
  if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum'];
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum'];
};

const moved = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(moved);
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) =>
      key === '$ref' && typeof value === 'string'
        ? [key, value.replace('#/$defs/', '#/components/schemas/')]
        : [key, moved(value)],
    ),
  );
};

interface Described {
  readonly schema: Json;
  readonly parts: Readonly<Record<string, unknown>>;
}

const describe = (schema: z.ZodType, side: Side): Described => {
  const { properties = {}, $defs = {} } = z.toJSONSchema(z.object({ schema }), {
    io: side,
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ zodSchema, jsonSchema }) => {
      plainer(zodSchema, jsonSchema, side);
    },
  }) as { properties?: Json; $defs?: Json };
  return { schema: moved(properties['schema']) as Json, parts: moved($defs) as Json };
};

const described: Readonly<Record<Side, WeakMap<z.ZodType, Described>>> = { input: new WeakMap(), output: new WeakMap() };

/**
 * Every route has the same few schemas of errors: each is described once, or the start would take a
 * third longer.
 */
const describedOnce = (schema: z.ZodType, side: Side): Described => {
  const found = described[side].get(schema) ?? describe(schema, side);
  described[side].set(schema, found);
  return found;
};

/**
 * The JSON Schema of one side, by reference where the schema has an id; such parts are added to
 * `components`. Throws where one id would stand for two schemas, as when it is used on both sides
 * and these differ.
 */
export const schemaOf = (schema: z.ZodType, side: Side, components: Json): Json => {
  const { schema: whole, parts } = describedOnce(schema, side);
  for (const [id, part] of Object.entries(parts)) {
    const before = (components[id] ??= part);
    if (before !== part && JSON.stringify(before) !== JSON.stringify(part))
      throw new Error(`two schemas of the API have the id ${id}`);
  }
  return whole;
};

/** The properties of an object schema's input, and the names of those that must be there. */
export const propertiesOf = (schema: z.ZodType | null): { properties: Record<string, Json>; required: readonly string[] } => {
  const components: Json = {};
  if (schema === null) return { properties: {}, required: [] };
  const { $ref, ...inline } = schemaOf(schema, 'input', components);
  const whole = typeof $ref === 'string' ? (components[$ref.replace(/^.*\//, '')] as Json) : inline;
  return { properties: {}, required: [], ...whole };
};

export const schemaExampleOf = (schema: z.ZodType): unknown => (schema.meta()?.['examples'] as unknown[] | undefined)?.[0];
