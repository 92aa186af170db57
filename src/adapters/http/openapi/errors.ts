import { z } from 'zod';

import { MAX_FAULTS } from '../../../domain/values/fault-list.ts';
import type { RefusalCode } from '../../../domain/result.ts';
import { headersOf } from './headers.ts';
import { examplePath } from './parameters.ts';
import { propertiesOf, schemaOf } from './schema.ts';
import type { Json } from './schema.ts';
import { errorBody, STATUS_OF, TOO_MANY_FAILURES } from '../serving/refusals.ts';
import type { Route } from '../route.ts';

type Code = RefusalCode | 'internal_error';

const plainError = z
  .object({ error: z.string(), code: z.string() })
  .meta({ id: 'Error', description: 'What went wrong: `error` for people, `code` for programs.' });

const invalidError = z.object({ error: z.string() }).meta({ id: 'InvalidError', description: 'What is wrong with the request.' });

const problem = z
  .object({
    type: z.string().nullable(),
    title: z.string().nullable(),
    status: z.int().nullable(),
    detail: z.string().nullable(),
    instance: z.string().nullable(),
    code: z.string(),
    errors: z.record(z.string(), z.array(z.string())).optional(),
  })
  .meta({
    id: 'Problem',
    description: `RFC 9457 problem details; of a 400 also \`errors\`: the first faults, at most ${String(MAX_FAULTS)}, by the name of the field each is in.`,
    examples: [
      {
        type: 'about:blank',
        title: 'Bad Request',
        status: 400,
        detail: 'fields.hex: must be a color (#rrggbb or #rrggbbaa)',
        instance: '/custom-data/metaobjects/color_chart/entries/linen',
        code: 'invalid',
        errors: { 'fields.hex': ['must be a color (#rrggbb or #rrggbbaa)'] },
      },
    ],
  });

/** What each refusal means, and a message that it may come with. */
const TOLD: Readonly<Record<Code, readonly [meaning: string, message: string]>> = {
  invalid: ['The request is not valid.', 'a request must have one Host header'],
  unauthenticated: ['The credentials are missing, wrong, expired or revoked.', 'the admin token is missing or wrong'],
  forbidden: ['The installation lacks the scope.', ''],
  not_found: ['There is no such resource.', 'there is no such resource'],
  conflict: ['The request conflicts with what is there.', 'the request conflicts with what is there'],
  idempotency_in_progress: [
    'A request with this Idempotency-Key is still running: try again after the seconds of Retry-After.',
    'a request with this Idempotency-Key is still running',
  ],
  idempotency_not_replayable: [
    'Or the work of this Idempotency-Key was done, but its response was too large to keep: do not try again.',
    'the work was done; its response was too large to keep and cannot be replayed: do not retry',
  ],
  payload_too_large: ['The body is too large.', 'the body must not exceed 1048576 bytes'],
  unsupported_media_type: [
    'The media type is not one of these, or the body is compressed.',
    'Content-Type must be application/json',
  ],
  idempotency_key_reused: [
    'This Idempotency-Key was used with a different request.',
    'this Idempotency-Key was used with a different request',
  ],
  rate_limited: [
    'The rate limit is exceeded, or too many requests from this address had invalid credentials: wait the seconds of Retry-After.',
    'too many requests; wait the seconds of Retry-After',
  ],
  internal_error: ['An internal error.', 'an internal error occurred'],
  unavailable: ['The service cannot answer now: try again.', 'the service cannot answer now; try again'],
};

/** What a query's value can be refused for; skip and take never are (decisions.md, Paging). */
const judgesQuery = (route: Route): boolean =>
  Object.keys(propertiesOf(route.query).properties).some((name) => name !== 'skip' && name !== 'take');

/** Every refusal that the route can answer, by status. The token route alone is public, and reads its form by rules of its own. */
const refusalsOf = (route: Route): Map<number, Code[]> => {
  const { access, body, streams, params, idempotent } = route;
  const readsJson = body !== null && access.kind !== 'public';
  const codes: readonly (readonly [boolean, readonly Code[]])[] = [
    [true, route.refusals],
    [access.kind !== 'public', ['unauthenticated']],
    [access.kind === 'app', ['forbidden']],
    [access.kind !== 'public', ['rate_limited']],
    // Of two Host headers; of a path that is no URI.
    [access.kind !== 'admin' || params !== null, ['invalid']],
    [params !== null, ['not_found']],
    [readsJson || judgesQuery(route), ['invalid']],
    // What is streamed may be of any size.
    [readsJson, ['payload_too_large']],
    [readsJson || streams.length > 0, ['unsupported_media_type']],
    [idempotent, ['idempotency_in_progress', 'idempotency_not_replayable', 'idempotency_key_reused']],
    [true, ['internal_error', 'unavailable']],
  ];
  const byStatus = new Map<number, Code[]>();
  for (const code of new Set(codes.flatMap(([there, some]) => (there ? some : [])))) {
    byStatus.set(STATUS_OF[code], [...(byStatus.get(STATUS_OF[code]) ?? []), code]);
  }
  return byStatus;
};

const messageOf = (route: Route, code: Code): string => {
  if (code === 'rate_limited' && route.access.kind === 'admin') return TOO_MANY_FAILURES;
  if (code === 'invalid' && route.body !== null && route.access.kind !== 'public') return 'The body is not valid JSON.';
  if (code === 'invalid' && route.access.kind === 'admin') return 'the path is not a valid URI';
  if (code === 'unsupported_media_type' && route.streams.length > 0) return `Content-Type must be ${route.streams.join(' or ')}`;
  return TOLD[code][1];
};

const contentOf = (route: Route, status: number, codes: readonly Code[], components: Json): Json => {
  const isProblem = route.errors === 'problem';
  const plain = status === 400 ? invalidError : plainError;
  // The body is made by what answers it, so that the example cannot differ in shape.
  const exampleOf = (code: Code): Json => ({
    value: JSON.parse(errorBody(route.errors, code, messageOf(route, code), examplePath(route)).body) as unknown,
  });
  const media = {
    schema: schemaOf(isProblem ? problem : plain, 'output', components),
    examples: Object.fromEntries(codes.map((code) => [code, exampleOf(code)])),
  };
  return { [isProblem ? 'application/problem+json' : 'application/json']: media };
};

/** The responses to everything that the route can refuse, and to what can fail, by status. */
export const errorResponses = (route: Route, components: Json): Json =>
  Object.fromEntries(
    [...refusalsOf(route)].map(([status, codes]) => {
      // app-api.md, Errors: 401 and 403 of the app API are empty.
      const empty = route.access.kind !== 'admin' && (status === 401 || status === 403);
      const meaning = codes.map((code) => TOLD[code][0]).join(' ');
      const headers = headersOf(route, status);
      if (empty) return [status, { description: `${meaning} No body.`, headers }];
      return [status, { description: meaning, headers, content: contentOf(route, status, codes, components) }];
    }),
  );
