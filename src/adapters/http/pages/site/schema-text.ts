/** The part of a schema of an OpenAPI document that the page reads. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** A text in a cell of a table. */
export const cell = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll('|', String.raw`\|`)
    .trim();

const nameOf = (ref: string): string => ref.split('/').at(-1) ?? ref;

/** The largest number that JavaScript counts exactly says nothing, so it is left out. */
const between = (least: number | undefined, most: number | undefined, unit: string): string[] => {
  const limit = most === undefined || most >= Number.MAX_SAFE_INTEGER ? undefined : most.toLocaleString('en');
  if (limit === undefined) return least === undefined || least <= Number.MIN_SAFE_INTEGER ? [] : [`at least ${least}${unit}`];
  return [least === undefined ? `at most ${limit}${unit}` : `${least} to ${limit}${unit}`];
};

const limitsOf = (schema: Schema): string[] => [
  ...between(schema.minimum, schema.maximum, ''),
  ...between(schema.minLength, schema.maxLength, ' characters'),
  ...between(schema.minItems, schema.maxItems, ' items'),
];

/** The type of a value, in words that lead to the schemas with a name. */
export const typeOf = (schema: Schema): string => {
  if (schema.$ref !== undefined) return `[${nameOf(schema.$ref)}](#schema-${nameOf(schema.$ref)})`;
  const all = schema.allOf ?? schema.anyOf ?? schema.oneOf;
  if (all) return [...new Set(all.map(typeOf))].join(schema.allOf ? ' and ' : ' or ');
  if ('const' in schema) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ');
  if (schema.items) return [`array of ${typeOf(schema.items)}`, ...limitsOf(schema)].join(', ');
  const names = [schema.type ?? 'any'].flat().join(' or ');
  const values = typeof schema.additionalProperties === 'object' ? ` of ${typeOf(schema.additionalProperties)}` : '';
  return [`${names}${schema.format === undefined ? values : ` (${schema.format})`}`, ...limitsOf(schema)].join(', ');
};

/** The fields of an object, and those of the objects in it that have no name of their own. */
const rowsOf = (schema: Schema, before: string): string[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${before}${name}`;
    const isRequired = schema.required?.includes(name) === true;
    const row = `| \`${path}\` | ${cell(typeOf(field))} | ${isRequired ? 'yes' : ''} | ${cell(field.description ?? '')} |`;
    return [row, ...rowsOf(field, `${path}.`), ...(field.items ? rowsOf(field.items, `${path}[].`) : [])];
  });

export const schemaText = (schema: Schema): string => {
  const parts = [schema, ...(schema.allOf ?? schema.anyOf ?? schema.oneOf ?? [])];
  const rows = [...new Set(parts.flatMap((part) => rowsOf(part, '')))];
  const table = ['| Field | Type | Required | Meaning |', '| --- | --- | --- | --- |', ...rows].join('\n');
  return [schema.description ?? '', rows.length === 0 ? `Type: ${typeOf(schema)}` : table].filter(Boolean).join('\n\n');
};
