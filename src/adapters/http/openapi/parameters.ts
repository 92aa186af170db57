import { limit } from '../kit/limits.ts';
import { propertiesOf, type Json } from './schema.ts';
import type { Route } from '../route-declaration.ts';

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description:
    `Identifies the logical operation. Use the same key on every retry. The key is remembered for ${limit('idempotencyKey')}, with a fingerprint of the method, path and raw body. ` +
    '1 to 255 printable ASCII characters.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: 'rename-2026-11-21-0001',
};

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The ETag of an earlier response. Returns 304 while nothing has changed.',
  schema: { type: 'string' },
  example: '"Xv4bq0pYbXqfNq8c0nWmJm1oGmk"',
};

const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The ETag that you have seen. Returns 412 and changes nothing if the resource has another one or does not exist. Without it, the request is not conditional.',
  schema: { type: 'string' },
  example: '"Xv4bq0pYbXqfNq8c0nWmJm1oGmk"',
};

const CREATE_ONLY = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: '`*` creates only: returns 412 and changes nothing if the resource exists.',
  schema: { type: 'string' },
  example: '*',
};

/** The conditions of a route by its method. */
const conditionsOf = ({ method }: Route): readonly Json[] => {
  if (method === 'get') return [IF_NONE_MATCH];
  return method === 'put' ? [IF_MATCH, CREATE_ONLY] : [IF_MATCH];
};

const RANGE = {
  name: 'Range',
  in: 'header',
  required: false,
  description: 'A single byte range. The whole file is returned for several ranges or an invalid one.',
  schema: { type: 'string' },
  example: 'bytes=0-1023',
};

export const AN_ID = '019a0000-0000-7000-8000-000000000001';

/**
 * `storeId` is the store's; a plain `id` is of what the path names before it, as
 * `subscriptions/:id`.
 */
const whose = (name: string, path: string): string => {
  const [, collection = ''] = new RegExp(`([a-z-]+)/:${name}\\b`).exec(path) ?? [];
  const word = name === 'id' ? collection.replace(/ies$/, 'y').replace(/s$/, '') : name.replace(/Id$/, '');
  return word.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll('-', ' ');
};

const queryParameter = (name: string, property: Json, required: boolean): Json => {
  const { description, examples, ...schema } = property;
  const [example] = (examples as unknown[] | undefined) ?? [];
  return { name, in: 'query', required, description, schema, ...(example !== undefined && { example }) };
};

const pathParameter = (name: string, property: Json, path: string): Json => {
  const isId = property['format'] === 'uuid';
  const description = property['description'] ?? (isId ? `The id of the ${whose(name, path)}.` : undefined);
  const examples = property['examples'] ?? (isId ? [AN_ID] : undefined);
  return { ...queryParameter(name, { ...property, description, examples }, true), in: 'path' };
};

const makeParameters = (route: Route): readonly Json[] => {
  const query = propertiesOf(route.query);
  return [
    ...Object.entries(propertiesOf(route.params).properties).map(([name, property]) => pathParameter(name, property, route.path)),
    ...Object.entries(query.properties).map(([name, property]) => queryParameter(name, property, query.required.includes(name))),
    ...(route.idempotent ? [IDEMPOTENCY_KEY] : []),
    ...(route.etag ? conditionsOf(route) : []),
    ...(route.ranges ? [RANGE] : []),
  ];
};

const made = new WeakMap<Route, readonly Json[]>();

/**
 * The parameters of the path, the query and the headers. Each example of an error needs them, so
 * they are made once.
 */
export const parametersOf = (route: Route): readonly Json[] => {
  const parameters = made.get(route) ?? makeParameters(route);
  made.set(route, parameters);
  return parameters;
};

export const examplePath = (route: Route): string =>
  parametersOf(route)
    .filter((each) => each['in'] === 'path')
    .reduce((path, each) => path.replace(`:${String(each['name'])}`, String(each['example'])), route.path);
