import { cell, schemaText, typeOf, type Schema } from './schema-text.ts';

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
export interface OpenApiDocument {
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
  };
}

/** Texts of the page beside its operations. */
export interface ReferenceOf {
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
export const referenceSource = (document: OpenApiDocument, { title, opening, document: address }: ReferenceOf): string => {
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
