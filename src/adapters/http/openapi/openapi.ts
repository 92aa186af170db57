import { errorResponses } from './errors.ts';
import { HEADERS, headersOf } from './headers.ts';
import { parametersOf } from './parameters.ts';
import { schemaExampleOf, schemaOf, type Json } from './schema.ts';
import { samplesOf } from './samples.ts';
import { CALLBACK, WEBHOOK_PARAMETERS, webhooksOf } from './webhooks.ts';
import type { Route } from '../route-declaration.ts';
import type { WebhookType } from '../webhooks/event-data.ts';

const withExample = (example: unknown): Json => (example === undefined ? {} : { example });

/** Streams are of several media types, so their route's example of a body is a map from each. */
const streamed = (route: Route): Json => {
  const examples = (route.examples.body ?? {}) as Json;
  return Object.fromEntries(route.streams.map((type) => [type, { schema: { type: 'string' }, ...withExample(examples[type]) }]));
};

const requestBodyOf = (route: Route, components: Json): Json | null => {
  if (route.streams.length > 0) return { required: true, content: streamed(route) };
  if (route.body === null) return null;
  // An admin's empty body is read as {}.
  const required = route.access.kind !== 'admin' || !route.body.safeParse({}).success;
  const example = withExample(route.examples.body ?? schemaExampleOf(route.body));
  return { required, content: { [route.bodyType]: { schema: schemaOf(route.body, 'input', components), ...example } } };
};

const contentOf = (route: Route, components: Json): Json => {
  if (route.response === null) return {};
  const example = withExample(route.examples.response ?? schemaExampleOf(route.response));
  return { [route.responseType]: { schema: schemaOf(route.response, 'output', components), ...example } };
};

const successOf = (route: Route, components: Json): Json => {
  const headers = headersOf(route, route.status);
  if (route.response === null) return { description: 'Success. No body.', headers };
  return { description: 'Success.', headers, content: contentOf(route, components) };
};

/** Any of these schemes is enough. */
const securityOf = ({ access }: Route): Json[] => {
  if (access.kind === 'admin') return [{ bearer: [] }];
  if (access.kind === 'developer') return [{ basic: [] }];
  if (access.kind !== 'app') return [];
  const scoped = access.scopes.length > 0 ? access.scopes.map((scope) => [scope]) : [[]];
  return [...scoped.map((oauth2) => ({ oauth2 })), { bearer: [] }];
};

/** The responses that are not errors, beside the main one. */
const otherResponses = (route: Route, components: Json): Json => {
  const described = (status: number, description: string, content?: Json): Json => ({
    [status]: { description, headers: headersOf(route, status), ...(content && { content }) },
  });
  return {
    ...(route.ranges && described(206, 'The requested range.', contentOf(route, components))),
    ...(route.etag && route.method === 'get' && described(304, 'Nothing has changed. No body.')),
    ...(route.ranges && described(416, 'The range is not within the file. No body.')),
    ...(route.otherStatus && described(route.otherStatus.status, route.otherStatus.meaning, contentOf(route, components))),
  };
};

/** Only the role owner is named here: the description of the document says what reading and changing need. */
const needsOf = ({ access }: Route): string => {
  if (access.kind === 'app' && access.scopes.length > 0) {
    return `Requires the scope ${access.scopes.map((scope) => `\`${scope}\``).join(' or ')}.`;
  }
  return access.kind === 'admin' && access.needs === 'owner' ? 'Requires the role `owner`.' : '';
};

const operationOf = (route: Route, components: Json): Json => {
  const requestBody = requestBodyOf(route, components);
  const needs = needsOf(route);
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: [route.description, needs].filter(Boolean).join('\n\n'),
    tags: [route.tag],
    security: securityOf(route),
    parameters: parametersOf(route),
    ...(requestBody && { requestBody }),
    responses: {
      [route.status]: successOf(route, components),
      ...errorResponses(route, components),
      ...otherResponses(route, components),
    },
    ...(route.callback !== null && { callbacks: { event: { [route.callback]: { post: CALLBACK } } } }),
    'x-codeSamples': samplesOf(route, requestBody),
  };
};

const usedHeaders = (paths: object): Json => {
  const text = JSON.stringify(paths);
  return Object.fromEntries(Object.entries(HEADERS).filter(([name]) => text.includes(`"#/components/headers/${name}"`)));
};

export interface OpenApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly server: { readonly description: string; readonly url: string; readonly variables: Json };
  readonly securitySchemes: Json;
  readonly events: readonly WebhookType[];
}

/** The OpenAPI 3.1 document of the routes: the same values that are mounted. */
export const openApiDocument = (
  routes: readonly Route[],
  { tags, server, securitySchemes, events, ...info }: OpenApiInfo,
): Json => {
  const schemas: Json = {};
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    (paths[route.path.replace(/:([A-Za-z]+)/g, '{$1}')] ??= {})[route.method] = operationOf(route, schemas);
  }
  const webhooks = webhooksOf(events, schemas);
  return {
    openapi: '3.1.0',
    info: { ...info, contact: { name: 'The maintainers of Tenon' }, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/', description: 'The server that serves this document.' }, server],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).sort(([one], [other]) => (one < other ? -1 : 1))),
      headers: usedHeaders(paths),
      parameters: WEBHOOK_PARAMETERS,
      securitySchemes,
    },
  };
};
