/** The part of an OpenAPI document that the page reads. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
}

interface OpenApiOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
}

interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema?: {
    readonly type?: string;
    readonly enum?: readonly string[];
    readonly default?: unknown;
    readonly maxLength?: number;
  };
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly isRequired: boolean;
  readonly description: string;
  readonly example: string;
  readonly options: readonly string[] | null;
  /** Several values are separated by commas and sent as a repeated parameter. */
  readonly isList: boolean;
  readonly fallback: string;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A call of the app API that needs a token. */
export interface Operation {
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly tag: string;
  /** Any of them allows the call. Every app may call without any. */
  readonly scopes: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly needsKey: boolean;
  /** The example of the JSON body; null where there is no body. */
  readonly body: unknown;
}

const KEY_HEADER = 'Idempotency-Key';

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

const parameterOf = ({ name, in: place, required, description, example, schema }: OpenApiParameter): Parameter => ({
  name,
  in: place,
  isRequired: required === true,
  description: description ?? '',
  example: textOf(example),
  options: schema?.enum ?? null,
  isList: schema?.type === 'array',
  fallback: textOf(schema?.default),
});

const operationOf = (path: string, method: string, operation: OpenApiOperation): Operation => {
  const { operationId, summary = operationId, description = '', tags = [], security = [], parameters = [] } = operation;
  return {
    id: operationId,
    method: method.toUpperCase() as Method,
    path,
    summary,
    description,
    tag: tags[0] ?? '',
    scopes: security.flatMap((scheme) => scheme['oauth2'] ?? []),
    parameters: parameters.filter(({ name }) => name !== KEY_HEADER).map(parameterOf),
    needsKey: parameters.some(({ name }) => name === KEY_HEADER),
    body: operation.requestBody?.content['application/json']?.example ?? null,
  };
};

/** The calls of the document that need the token of an app, in its order. */
export const operationsOf = ({ paths }: OpenApi): readonly Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security?.some((scheme) => scheme['bearer'] !== undefined))
      .map(([method, operation]) => operationOf(path, method, operation)),
  );

/** Counts scopes as the API does: a write_ scope includes its read_ scope. */
export const mayCall = (granted: readonly string[], scopes: readonly string[]): boolean =>
  scopes.length === 0 ||
  scopes.some((scope) => granted.some((own) => own === scope || own.replace(/^write_/, 'read_') === scope));
