import { z } from 'zod';

import { plainError, invalidError, problem, MEANING, refusalStatuses, header, errorResponse } from './openapi-errors.ts';
import type { Json } from './openapi-errors.ts';
import type { Route } from './route.ts';

/** zod's JSON Schema of one side, with its named parts moved to `components`. */
const schemaOf = (schema: z.ZodType, io: 'input' | 'output', components: Json): Json => {
  const {
    $schema: _,
    $defs,
    ...rest
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ jsonSchema }) => {
      delete jsonSchema.id;
    },
  }) as Json & { $defs?: Json };
  for (const [id, part] of Object.entries($defs ?? {})) components[id] ??= moved(part);
  return moved(rest) as Json;
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

const parametersOf = (schema: z.ZodType | null, place: 'path' | 'query', components: Json): Json[] => {
  if (schema === null) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input', components) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description !== undefined && { description }),
    schema: rest,
  }));
};

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description:
    'Names the logical operation; reuse it on every retry. Remembered for 24 hours with a fingerprint of method, path and raw body bytes.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: 'rename-2026-11-21-0001',
};

const requestBodyOf = (route: Route, components: Json): Json | null => {
  if (route.streams.length > 0) {
    return { required: true, content: Object.fromEntries(route.streams.map((type) => [type, { schema: { type: 'string' } }])) };
  }
  if (route.body === null) return null;
  const example = route.examples.body === undefined ? {} : { example: route.examples.body };
  const type = route.bodyType;
  return { required: true, content: { [type]: { schema: schemaOf(route.body, 'input', components), ...example } } };
};

const successOf = (route: Route, components: Json): Json => {
  const headers: Json = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };
  if (route.idempotent)
    headers['Idempotent-Replay'] = header('`true` when this is the remembered response.', { type: 'string', enum: ['true'] });
  const description = MEANING[route.status] ?? (route.response === null ? 'Done. No body.' : 'Success.');
  if (route.response === null) return { description, headers };
  const example = route.examples.response === undefined ? {} : { example: route.examples.response };
  return {
    description,
    headers,
    content: { [route.responseType]: { schema: schemaOf(route.response, 'output', components), ...example } },
  };
};

const operationOf = (route: Route, components: Json): Json => {
  const requestBody = requestBodyOf(route, components);
  const success = { [route.status]: successOf(route, components) };
  const errors = Object.fromEntries(refusalStatuses(route).map((status) => [status, errorResponse(route, status)]));
  const scopes = route.access.kind === 'app' ? `Needs the scope \`${route.access.scope}\`.` : '';
  const words = route.path
    .replace(/:([A-Za-z]+)/g, 'by $1')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean);
  return {
    operationId: [route.method, ...words]
      .map((word, n) => (n === 0 ? word : word.slice(0, 1).toUpperCase() + word.slice(1)))
      .join(''),
    summary: route.summary,
    description: [route.description, scopes].filter(Boolean).join('\n\n') || route.summary,
    tags: [route.tag],
    security: route.access.kind === 'public' ? [] : [{ bearer: [] }],
    parameters: [
      ...parametersOf(route.params, 'path', components),
      ...parametersOf(route.query, 'query', components),
      ...(route.idempotent ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(requestBody && { requestBody }),
    responses: { ...success, ...errors },
  };
};

export interface OpenApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description: string;
}

/** The OpenAPI 3.1 document of the routes: the same values that are mounted. */
export const openApiDocument = (routes: readonly Route[], info: OpenApiInfo): Json => {
  const components: Json = {};
  for (const schema of [plainError, invalidError, problem]) schemaOf(z.object({ schema }), 'output', components);
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    (paths[route.path.replace(/:([A-Za-z]+)/g, '{$1}')] ??= {})[route.method] = operationOf(route, components);
  }
  return {
    openapi: '3.1.0',
    info: { ...info, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: components,
      headers: { 'X-Request-Id': header('Names this request in the log.', { type: 'string', format: 'uuid' }) },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  };
};
