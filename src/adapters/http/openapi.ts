import { z } from 'zod';

import type { RefusalCode } from '../../domain/result.ts';
import { STATUS_OF } from './refusals.ts';
import type { Route } from './route.ts';

type Json = Record<string, unknown>;

const plainError = z
  .object({ error: z.string(), code: z.string() })
  .meta({ id: 'Error', description: 'What went wrong, for people and for programs.', examples: [{ error: 'there is no such resource', code: 'not_found' }] });
const invalidError = z
  .object({ error: z.string() })
  .meta({ id: 'InvalidError', description: 'What is wrong with the request.', examples: [{ error: 'products: Required' }] });
const problem = z
  .object({
    type: z.string().nullable(),
    title: z.string().nullable(),
    status: z.int().nullable(),
    detail: z.string().nullable(),
    instance: z.string().nullable(),
    code: z.string().optional(),
    errors: z.record(z.string(), z.array(z.string())).optional(),
  })
  .meta({ id: 'Problem', description: 'RFC 9457 problem details; errors by the name of the field they stand in.' });

/** What a status means, where the route says nothing more. */
const MEANING: Readonly<Record<number, string>> = {
  400: 'The request is not valid.',
  401: 'The credentials are missing, wrong, expired or revoked. No body on app routes.',
  403: 'The installation lacks the scope. No body.',
  404: 'There is no such resource.',
  409: 'The request conflicts with what is there, or with a running request of the same Idempotency-Key (then with Retry-After: 1).',
  413: 'The body is too large.',
  415: 'The media type or the content encoding is not supported.',
  422: 'The Idempotency-Key was used with a different request.',
  429: 'The rate limit is exceeded; wait the seconds of Retry-After.',
  500: 'An internal error.',
  503: 'The service cannot answer now; try again. With the same Idempotency-Key nothing is done twice.',
};

const takesBody = (route: Route): boolean => route.body !== null || route.streams.length > 0;

/** Every status that the route can answer, beside its success. */
const refusalStatuses = (route: Route): number[] => {
  const codes: (RefusalCode | 'internal_error')[] = [...route.refusals, 'internal_error', 'unavailable'];
  if (route.access.kind !== 'public') codes.push('unauthenticated');
  if (route.access.kind === 'app') codes.push('forbidden', 'rate_limited', 'invalid');
  if (route.params !== null) codes.push('not_found');
  if (route.query !== null || takesBody(route)) codes.push('invalid');
  if (takesBody(route)) codes.push('payload_too_large', 'unsupported_media_type');
  if (route.idempotent) codes.push('idempotency_in_progress', 'idempotency_key_reused', 'invalid');
  return [...new Set(codes.map((code) => STATUS_OF[code]))].sort((one, other) => one - other);
};

const header = (description: string, schema: Json): Json => ({ description, schema });

const errorResponse = (route: Route, status: number): Json => {
  const description = MEANING[status] ?? 'An error.';
  const empty = route.access.kind === 'app' && (status === 401 || status === 403);
  const headers: Json = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };
  if (status === 401 || status === 403) headers['WWW-Authenticate'] = header('The challenge.', { type: 'string' });
  if (status === 429 || status === 409) headers['Retry-After'] = header('Seconds to wait.', { type: 'integer', minimum: 1 });
  if (empty) return { description, headers };
  if (route.errors === 'problem') {
    return { description, headers, content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } };
  }
  const id = status === 400 ? 'InvalidError' : 'Error';
  return { description, headers, content: { 'application/json': { schema: { $ref: `#/components/schemas/${id}` } } } };
};

/** zod's JSON Schema of one side, with its named parts moved to `components`. */
const schemaOf = (schema: z.ZodType, io: 'input' | 'output', components: Json): Json => {
  const { $schema: _, $defs, ...rest } = z.toJSONSchema(schema, {
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
      key === '$ref' && typeof value === 'string' ? [key, value.replace('#/$defs/', '#/components/schemas/')] : [key, moved(value)],
    ),
  );
};

const parametersOf = (schema: z.ZodType | null, place: 'path' | 'query', components: Json): Json[] => {
  if (schema === null) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input', components) as { properties?: Record<string, Json>; required?: string[] };
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
  description: 'Names the logical operation; reuse it on every retry. Remembered for 24 hours with a fingerprint of method, path and raw body bytes.',
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
  if (route.idempotent) headers['Idempotent-Replay'] = header('`true` when this is the remembered response.', { type: 'string', enum: ['true'] });
  const description = MEANING[route.status] ?? (route.response === null ? 'Done. No body.' : 'Success.');
  if (route.response === null) return { description, headers };
  const example = route.examples.response === undefined ? {} : { example: route.examples.response };
  return { description, headers, content: { [route.responseType]: { schema: schemaOf(route.response, 'output', components), ...example } } };
};

const operationOf = (route: Route, components: Json): Json => {
  const requestBody = requestBodyOf(route, components);
  const success = { [route.status]: successOf(route, components) };
  const errors = Object.fromEntries(refusalStatuses(route).map((status) => [status, errorResponse(route, status)]));
  const scopes = route.access.kind === 'app' ? `Needs the scope \`${route.access.scope}\`.` : '';
  const words = route.path.replace(/:([A-Za-z]+)/g, 'by $1').split(/[^A-Za-z0-9]+/).filter(Boolean);
  return {
    operationId: [route.method, ...words].map((word, n) => (n === 0 ? word : word.slice(0, 1).toUpperCase() + word.slice(1))).join(''),
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
