import { z } from 'zod';

import type { RefusalCode } from '../../domain/result.ts';
import { STATUS_OF } from './refusals.ts';
import type { Route } from './route.ts';

export type Json = Record<string, unknown>;

export const plainError = z.object({ error: z.string(), code: z.string() }).meta({
  id: 'Error',
  description: 'What went wrong, for people and for programs.',
  examples: [{ error: 'there is no such resource', code: 'not_found' }],
});
export const invalidError = z
  .object({ error: z.string() })
  .meta({ id: 'InvalidError', description: 'What is wrong with the request.', examples: [{ error: 'products: Required' }] });
export const problem = z
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
export const MEANING: Readonly<Record<number, string>> = {
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

export const takesBody = (route: Route): boolean => route.body !== null || route.streams.length > 0;

/** Every status that the route can answer, beside its success. */
export const refusalStatuses = (route: Route): number[] => {
  const codes: (RefusalCode | 'internal_error')[] = [...route.refusals, 'internal_error', 'unavailable'];
  if (route.access.kind !== 'public') codes.push('unauthenticated');
  if (route.access.kind === 'app') codes.push('forbidden', 'rate_limited', 'invalid');
  if (route.params !== null) codes.push('not_found');
  if (route.query !== null || takesBody(route)) codes.push('invalid');
  if (takesBody(route)) codes.push('payload_too_large', 'unsupported_media_type');
  if (route.idempotent) codes.push('idempotency_in_progress', 'idempotency_key_reused', 'invalid');
  return [...new Set(codes.map((code) => STATUS_OF[code]))].sort((one, other) => one - other);
};

export const header = (description: string, schema: Json): Json => ({ description, schema });

export const errorResponse = (route: Route, status: number): Json => {
  const description = MEANING[status] ?? 'An error.';
  const empty = route.access.kind === 'app' && (status === 401 || status === 403);
  const headers: Json = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };
  if (status === 401 || status === 403) headers['WWW-Authenticate'] = header('The challenge.', { type: 'string' });
  if (status === 429 || status === 409) headers['Retry-After'] = header('Seconds to wait.', { type: 'integer', minimum: 1 });
  if (empty) return { description, headers };
  if (route.errors === 'problem') {
    return {
      description,
      headers,
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    };
  }
  const id = status === 400 ? 'InvalidError' : 'Error';
  return { description, headers, content: { 'application/json': { schema: { $ref: `#/components/schemas/${id}` } } } };
};
