/** The part of a schema of an OpenAPI document that the page reads. */
interface Schema {
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
const cell = (text: string): string =>
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
const typeOf = (schema: Schema): string => {
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

const schemaText = (schema: Schema): string => {
  const parts = [schema, ...(schema.allOf ?? schema.anyOf ?? schema.oneOf ?? [])];
  const rows = [...new Set(parts.flatMap((part) => rowsOf(part, '')))];
  const table = ['| Field | Type | Required | Meaning |', '| --- | --- | --- | --- |', ...rows].join('\n');
  return [schema.description ?? '', rows.length === 0 ? `Type: ${typeOf(schema)}` : table].filter(Boolean).join('\n\n');
};

interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
}

interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Readonly<Record<string, Media>> }>
  >;
  readonly 'x-codeSamples'?: readonly { readonly lang: string; readonly source: string }[];
}

/** The part of an OpenAPI document that the page reads. */
interface OpenApiDocument {
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
  };
}

/** Texts of the page beside its operations. */
interface ReferenceOf {
  readonly title: string;
  readonly opening: string;
  /** Address of the document. */
  readonly document: string;
}

const lines = (...parts: readonly string[]): string => parts.filter(Boolean).join('\n\n');
const block = (lang: string, text: string): string => `\`\`\`${lang}\n${text}\n\`\`\``;
const json = (value: unknown): string => block('json', JSON.stringify(value, null, 2));

const mediaText = (what: string, content: Readonly<Record<string, Media>> | undefined): string =>
  lines(
    ...Object.entries(content ?? {}).flatMap(([type, { schema, example }]) => [
      `**${what}** (\`${type}\`): ${schema ? cell(typeOf(schema)) : 'bytes'}`,
      schema?.properties ? schemaText(schema) : '',
      example === undefined ? '' : typeof example === 'string' ? block('', example) : json(example),
    ]),
  );

const parametersText = (parameters: readonly Parameter[]): string => {
  const rows = parameters.map(
    ({ name = '', in: place = '', required = false, description = '', schema = {} }) =>
      `| \`${name}\` | ${place} | ${cell(typeOf(schema))} | ${required ? 'yes' : ''} | ${cell(description)} |`,
  );
  return rows.length === 0
    ? ''
    : ['| Parameter | In | Type | Required | Meaning |', '| --- | --- | --- | --- | --- |', ...rows].join('\n');
};

/** Each operation, each with an anchor of its operationId, and each schema, as the Markdown of a page. */
const referenceSource = (document: OpenApiDocument, { title, opening, document: address }: ReferenceOf): string => {
  const { schemas, parameters: shared = {} } = document.components;
  const parameterOf = (parameter: Parameter): Parameter => shared[parameter.$ref?.split('/').at(-1) ?? ''] ?? parameter;

  const operationText = (path: string, method: string, operation: Operation): string => {
    const answers = Object.entries(operation.responses);
    return lines(
      `### ${operation.summary} {#${operation.operationId}}`,
      block('http', `${method.toUpperCase()} ${path}`),
      operation.description ?? '',
      parametersText((operation.parameters ?? []).map(parameterOf)),
      mediaText('Body', operation.requestBody?.content),
      [
        '| Status | Meaning |',
        '| --- | --- |',
        ...answers.map(([status, { description }]) => `| ${status} | ${cell(description)} |`),
      ].join('\n'),
      ...answers
        .filter(([status]) => status.startsWith('2'))
        .map(([status, { content }]) => mediaText(`Response ${status}`, content)),
      ...(operation['x-codeSamples'] ?? []).map(({ lang, source }) => block(lang.toLowerCase(), source)),
    );
  };

  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const groups = document.tags.map(({ name, description = '' }) =>
    lines(
      `## ${name}`,
      description,
      ...operations
        .filter(({ operation }) => operation.tags?.includes(name) === true)
        .map(({ path, method, operation }) => operationText(path, method, operation)),
    ),
  );
  const named = Object.entries(schemas).map(([name, schema]) => lines(`### ${name} {#schema-${name}}`, schemaText(schema)));
  const where = `The OpenAPI document is at [\`${address}\`](${address}). Each error has a code, see [errors](errors.md).`;
  return `${lines(`# ${title}`, opening, where, ...groups, '## Schemas', ...named)}\n`;
};

/** The pages that are written from the OpenAPI documents. */
export const REFERENCES: Readonly<Record<string, ReferenceOf & { readonly file: string }>> = {
  reference: {
    file: 'openapi.json',
    title: 'API reference',
    opening: 'This page is for developers of apps. It has every operation of the app API, and every schema.',
    document: '/docs/openapi.json',
  },
  'reference-admin': {
    file: 'openapi-admin.json',
    title: 'Admin API reference',
    opening:
      'This page is for operators and merchants who automate their work. It has every operation of the admin API, and every schema.',
    document: '/docs/openapi-admin.json',
  },
};

export interface References {
  /** The Markdown of each page, by its name. */
  readonly sources: ReadonlyMap<string, string>;
  /** Finds the operation that this text names in the reference, such as `GET /apps/events/{id}`. */
  linkOf(text: string): string | undefined;
}

/** Guides name parameters as they need, and write a query behind the path. */
const keyOf = (text: string): string => text.replace(/\?.*/, '').replaceAll(/\{\w+\}/g, '{}');

export const openReferences = (read: (file: string) => string): References => {
  const sources = new Map<string, string>();
  const links = new Map<string, string>();
  for (const [name, { file, ...about }] of Object.entries(REFERENCES)) {
    const document = JSON.parse(read(file)) as OpenApiDocument;
    sources.set(name, referenceSource(document, about));
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { operationId }] of Object.entries(methods))
        links.set(keyOf(`${method.toUpperCase()} ${path}`), `/docs/${name}#${operationId}`);
    }
  }
  return { sources, linkOf: (text) => links.get(keyOf(text)) };
};
