import { z } from 'zod';

import { PRODUCT } from '../../../domain/catalogue/fields/product-fields.ts';
import type { Field, RecordField } from '../../../domain/fields/kinds.ts';
import type { Alone, Given, Resource, Whole } from '../../../domain/fields/record.ts';
import { isStandard } from '../../../domain/fields/standard-fields.ts';
import { CATEGORY, COLLECTION, TAX_CLASS } from '../../../domain/catalogue/fields/taxonomy-fields.ts';
import { trimmed } from '../../../domain/values/text.ts';
import { listOf, mapOf } from './bounded.ts';
import {
  priceCurrency,
  doubleField,
  int64Field,
  integer,
  perLocaleField,
  perLocaleResponse,
  timeField,
  uuidField,
} from './fields.ts';
import { exampleOf } from './example-record.ts';
import { nameOf, textOf } from './text.ts';

/** Elements of any list of a product at most; real catalogues stay below 2,100. */
export const MAX_ELEMENTS = 10_000;

type Of<Kind extends Field['kind']> = Extract<Field, { readonly kind: Kind }>;

type Schemas = { readonly [Kind in Field['kind']]: (field: Of<Kind>) => z.ZodType };

const schemaOf = (schemas: Schemas, field: Field): z.ZodType => (schemas[field.kind] as (of: Field) => z.ZodType)(field);

/** Shares a schema for each record: its name appears once in the OpenAPI document. */
const once = (make: (record: RecordField) => z.ZodObject): ((record: RecordField) => z.ZodObject) => {
  const made = new Map<RecordField['fields'], z.ZodObject>();
  return (record) => {
    const schema = made.get(record.fields) ?? make(record);
    made.set(record.fields, schema);
    return schema;
  };
};

const shapeOf = ({ fields }: RecordField, side: 'given' | 'answered', schema: (field: Field) => z.ZodType): z.ZodRawShape =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => ((field.only ?? side) === side ? [[name, schema(field)]] : [])),
  );

const ANSWERS: Schemas = {
  text: ({ values, pattern }) => (values ? z.enum(values) : pattern === undefined ? z.string() : z.string().meta({ pattern })),
  number: ({ size }) => (size === 'double' ? z.number() : z.int()),
  flag: () => z.boolean(),
  any: () => z.unknown(),
  id: () => z.guid(),
  time: () => z.iso.datetime(),
  list: ({ of }) => z.array(schemaOf(ANSWERS, of)),
  map: ({ of, keys }) => (keys ? perLocaleResponse(schemaOf(ANSWERS, of)) : z.record(z.string(), schemaOf(ANSWERS, of))),
  record: (record) => answer(record),
};

/** A value of any kind as it is answered. */
export const answered = (field: Field): z.ZodType => {
  const whole = schemaOf(ANSWERS, field);
  const present = field.orNull ? whole.nullable() : whole;
  const schema = field.isOptional ? present.optional() : present;
  return field.about === undefined || (field.kind === 'record' && field.name !== undefined)
    ? schema
    : schema.meta({ description: field.about });
};

/** Records that routes answer directly have an example. */
const ROUTED: ReadonlySet<RecordField['fields']> = new Set(
  [PRODUCT, CATEGORY, TAX_CLASS, COLLECTION].map(({ fields }) => fields),
);

/** A record as it is answered, where its fields are not known before. */
export const answer = once((record) => {
  const { name, fields, isPartial, isResource, about } = record;
  const whole = z.object(shapeOf(record, 'answered', answered));
  if (isPartial) return whole.partial().meta({ id: name, description: about });
  if (isResource)
    return whole.meta({ id: name, ...(about !== undefined && { description: about }), examples: [exampleOf(record)] });
  return name === undefined ? whole : whole.meta({ id: name, ...(ROUTED.has(fields) && { examples: [exampleOf(record)] }) });
});

/** Describes a field in a document, besides its schema. */
const described = (schema: z.ZodType, field: Field): z.ZodType => {
  const { about, min, max } = field as { about?: string; min?: number; max?: number };
  const limits = [
    ...(min === undefined ? [] : [`At least ${min}.`]),
    ...(max === undefined ? [] : [field.kind === 'text' ? `At most ${max} characters.` : `At most ${max}.`]),
  ];
  const said = [about, ...limits].filter((text) => text !== undefined);
  const own = schema.meta()?.description;
  return said.length === 0 ? schema : schema.meta({ description: [...said, ...(own === undefined ? [] : [own])].join(' ') });
};

const bounded = (schema: typeof integer | typeof doubleField, { min, max }: Of<'number'>): z.ZodType =>
  min === undefined && max === undefined
    ? schema
    : schema
        .pipe(
          z
            .number()
            .min(min ?? -Infinity)
            .max(max ?? Infinity),
        )
        .meta(schema.meta() ?? {});

const DOCUMENTS: Schemas = {
  text: ({ values, format, trim, required }) => {
    if (values) return z.enum(values);
    if (format) return priceCurrency;
    const text = trim ? z.string().overwrite(trimmed) : z.string();
    return required === 'document' ? text.min(1) : text;
  },
  number: (field) => bounded({ int32: integer, int64: int64Field, double: doubleField }[field.size], field),
  flag: () => z.boolean(),
  any: () => z.unknown(),
  id: () => uuidField,
  time: () => timeField,
  list: ({ of }) => listOf(schemaOf(DOCUMENTS, of), { max: MAX_ELEMENTS }),
  map: ({ of, keys }) => (keys ? perLocaleField(schemaOf(DOCUMENTS, of)) : mapOf(schemaOf(DOCUMENTS, of), { max: MAX_ELEMENTS })),
  record: (record) => document(record),
};

const given = (field: Field): z.ZodType => {
  const schema = schemaOf(DOCUMENTS, field);
  const optional = field.orNull ? schema.nullish() : field.required === 'document' ? schema : schema.optional();
  return field.kind === 'list' || field.kind === 'record' ? optional : described(optional, field);
};

const document = once((record) => {
  const { nests, name, about } = record;
  const shape = shapeOf(record, 'given', given);
  if (nests === undefined) return z.object(shape);
  return z
    .object({ ...shape, [nests]: z.lazy(() => document(record).nullish()) })
    .meta({ id: `${String(name)}Document`, description: about });
});

const ALONE: Schemas = {
  ...DOCUMENTS,
  text: ({ required, max = Infinity }) => (required ? nameOf(max) : textOf({ max })),
  list: ({ of, max = MAX_ELEMENTS, about }) => listOf(schemaOf(DOCUMENTS, of), { max }).meta({ description: about }),
};

const givenAlone = (field: Field): z.ZodType => {
  const schema = schemaOf(ALONE, field);
  return field.orNull ? schema.nullish() : field.required ? schema : schema.optional();
};

type Answer<R extends RecordField> = z.ZodObject<{ [K in keyof Whole<R>]: z.ZodType<Whole<R>[K]> }>;

export const answerOf = <R extends RecordField>(record: R) => answer(record) as unknown as Answer<R>;

/** A resource as it is answered. */
export const resourceOf = <R extends RecordField>(record: R) =>
  answer(record) as unknown as z.ZodObject<{ -readonly [K in keyof Resource<R>]: z.ZodType<Resource<R>[K]> }>;

export const documentOf = <R extends RecordField>(record: R) => document(record) as z.ZodType as z.ZodType<Given<R>>;

/** A record as it is put by itself: its own fields, with their limits. */
export const requestOf = <R extends RecordField>(record: R) => {
  const { fields } = record;
  const own = Object.fromEntries(Object.entries(fields).filter(([name]) => !record.isRow || !isStandard(name)));
  return z.object(shapeOf({ ...record, fields: own }, 'given', givenAlone)) as z.ZodType as z.ZodType<Alone<R>>;
};
