import { z } from 'zod';

import { STALE_ENTRY } from '../../../domain/custom-data/metaobject.ts';
import { KEY_IN_PROGRESS, KEY_NOT_REPLAYABLE, KEY_REUSED } from '../../../domain/idempotency/key-use.ts';
import { roleTooLow } from '../../../domain/identity/operator.ts';
import type { Refusal, RefusalCode } from '../../../domain/result.ts';
import { MAX_FAULTS } from '../../../domain/values/fault-list.ts';
import { EXPIRY_REASONS } from '../../../domain/webhooks/feed-place.ts';
import { cursorExpired } from '../../../domain/webhooks/feed.ts';
import { budgetOf } from '../budget.ts';
import { FEED_CURSOR_EXAMPLE } from '../kit/page.ts';
import { limit } from '../kit/limits.ts';
import type { Route } from '../route-declaration.ts';
import { hasErrorBody } from '../serving/reply/error-reply.ts';
import {
  STATUS_OF,
  BAD_PATH,
  errorBody,
  INTERNAL_ERROR,
  NO_ADMIN_TOKEN,
  NO_RESOURCE,
  ONE_HOST,
  TOO_MANY_BAD_ADMIN_TOKENS,
  TOO_MANY_REQUESTS,
  UNAVAILABLE,
} from '../serving/reply/refusals.ts';
import { headersOf } from './headers.ts';
import { examplePath } from './parameters.ts';
import { propertiesOf, schemaOf, type Json } from './schema.ts';

const errorCode = z
  .enum(Object.keys(STATUS_OF))
  .meta({ id: 'ErrorCode', description: 'The codes of this version. More may be added.' });

/** Open, so that a client generated today reads the codes of tomorrow. */
const code = z.union([errorCode, z.string()]);

const plainError = z
  .object({ error: z.string(), code })
  .meta({ id: 'Error', description: 'What went wrong: `error` for people, `code` for programs.' });

const invalidError = z.object({ error: z.string() }).meta({ id: 'InvalidError', description: 'What is wrong with the request.' });

export const problem = z
  .object({
    type: z.string().nullable(),
    title: z.string().nullable(),
    status: z.int().nullable(),
    detail: z.string().nullable(),
    instance: z.string().nullable(),
    code,
    errors: z.record(z.string(), z.array(z.string())).optional(),
  })
  .meta({
    id: 'Problem',
    description: `RFC 9457 problem details. A 400 also has \`errors\`: the first ${String(MAX_FAULTS)} errors at most, by field name.`,
    examples: [
      {
        type: '/docs/errors#invalid',
        title: 'Bad Request',
        status: 400,
        detail: 'fields.hex: must be a color (#rrggbb or #rrggbbaa)',
        instance: '/custom-data/metaobjects/color_chart/entries/linen',
        code: 'invalid',
        errors: { 'fields.hex': ['must be a color (#rrggbb or #rrggbbaa)'] },
      },
    ],
  });

const expiry = {
  oldest: z.string().meta({ description: 'The cursor from which to continue.' }),
  reason: z.enum(EXPIRY_REASONS).meta({
    description:
      'not_kept: events after the cursor are no longer kept, so you may have missed some. history_changed: the server has lost events that you read, in a failover or a restore. Reading from oldest misses nothing. key_unknown: the server no longer has the key of the cursor. Reading from oldest repeats every event that is kept.',
  }),
};

const expiredError = plainError
  .extend(expiry)
  .meta({ id: 'ExpiredCursor', description: 'The feed does not continue from the cursor.' });

const expiredProblem = problem.extend(expiry).meta({
  id: 'ExpiredCursorProblem',
  description: 'RFC 9457 problem details: the feed does not continue from the cursor.',
});

type Code = RefusalCode | 'internal_error';

const EXPIRED = cursorExpired(FEED_CURSOR_EXAMPLE, 'not_kept');

const DESCRIBED: Readonly<Record<Code, readonly [meaning: string, message: string]>> = {
  invalid: ['The request is not valid.', ONE_HOST.message],
  unauthenticated: ['The credentials are missing, wrong, expired or revoked.', NO_ADMIN_TOKEN.message],
  forbidden: ['The installation lacks the scope.', ''],
  not_found: ['The resource was not found.', NO_RESOURCE.message],
  conflict: [
    'The request conflicts with a stored record, or the sandbox store is full.',
    'The request conflicts with a stored record.',
  ],
  cursor_expired: ['The feed does not continue from the cursor, for the `reason`. Continue with `oldest`.', EXPIRED.message],
  idempotency_in_progress: [
    'A request with this Idempotency-Key is still running: retry after the number of seconds in Retry-After.',
    KEY_IN_PROGRESS.message,
  ],
  idempotency_not_replayable: [
    'Or the request with this Idempotency-Key succeeded, but its response was too large to keep: do not retry.',
    KEY_NOT_REPLAYABLE.message,
  ],
  precondition_failed: ['The resource is not what If-Match or If-None-Match names.', STALE_ENTRY.message],
  payload_too_large: ['The body is too large.', `The body must not exceed ${limit('jsonBodyBytes')} bytes.`],
  unsupported_media_type: [
    'The media type is not supported, or the body is compressed.',
    'Content-Type must be application/json.',
  ],
  idempotency_key_reused: ['This Idempotency-Key was used for a different request.', KEY_REUSED.message],
  rate_limited: [
    'The rate limit is exceeded, or too many requests from this address had invalid credentials. Retry after the number of seconds in Retry-After.',
    TOO_MANY_REQUESTS.message,
  ],
  internal_error: ['An internal error occurred.', INTERNAL_ERROR.message],
  unavailable: ['The service is temporarily unavailable. Retry after the number of seconds in Retry-After.', UNAVAILABLE.message],
};

/**
 * True when a query's value can be refused; skip and take never are
 * (docs/specification/requests.md, "Paging").
 */
const judgesQuery = (route: Route): boolean =>
  Object.keys(propertiesOf(route.query).properties).some((name) => name !== 'skip' && name !== 'take');

/** A viewer may read, and what belongs to another store is not found. */
const mayBeForbidden = ({ access }: Route): boolean => {
  if (access.kind === 'app') return access.scopes.length > 0;
  return access.kind === 'admin' && (access.needs !== 'viewer' || access.rule.by === 'all');
};

/**
 * Every refusal that the route can answer, by status. A form is judged by its own reader, so that
 * it has one status.
 */
const refusalsOf = (route: Route): Map<number, Code[]> => {
  const { access, body, streams, params, idempotent } = route;
  const readsJson = body !== null && route.form === null;
  const needsToken = access.kind !== 'client' && access.kind !== 'visitor' && access.kind !== 'public';
  const codes: readonly (readonly [boolean, readonly Code[]])[] = [
    [true, route.refusals],
    [needsToken, ['unauthenticated']],
    [mayBeForbidden(route), ['forbidden']],
    [needsToken, ['rate_limited']],
    // For two Host headers, and for a path that is not a URI.
    [access.kind !== 'admin' || params !== null, ['invalid']],
    [params !== null, ['not_found']],
    [readsJson || judgesQuery(route), ['invalid']],
    // A stream may be of any size.
    [readsJson, ['payload_too_large']],
    [readsJson || streams.length > 0, ['unsupported_media_type']],
    [budgetOf(route) !== null, ['conflict']],
    [idempotent, ['idempotency_in_progress', 'idempotency_not_replayable', 'idempotency_key_reused']],
    [true, ['internal_error', 'unavailable']],
  ];
  const byStatus = new Map<number, Code[]>();
  for (const code of new Set(codes.flatMap(([there, some]) => (there ? some : [])))) {
    byStatus.set(STATUS_OF[code], [...(byStatus.get(STATUS_OF[code]) ?? []), code]);
  }
  return byStatus;
};

/** The members of an error that only one code has. */
const detailsOf = (code: Code): Pick<Refusal, 'details'> => (code === 'cursor_expired' ? EXPIRED : {});

const meaningOf = ({ access }: Route, code: Code): string =>
  code === 'forbidden' && access.kind === 'admin'
    ? 'The operator lacks the role, or does not reach all stores.'
    : DESCRIBED[code][0];

const messageOf = (route: Route, code: Code): string => {
  if (code === 'forbidden' && route.access.kind === 'admin') return roleTooLow('viewer', 'operator').message;
  if (code === 'rate_limited' && route.access.kind === 'admin') return TOO_MANY_BAD_ADMIN_TOKENS.message;
  if (code === 'invalid' && route.body !== null && route.form === null) return 'The body is not valid JSON.';
  if (code === 'invalid' && route.access.kind === 'admin') return BAD_PATH.message;
  if (code === 'unsupported_media_type' && route.streams.length > 0) return `Content-Type must be ${route.streams.join(' or ')}.`;
  return DESCRIBED[code][1];
};

const contentOf = (route: Route, status: number, codes: readonly Code[], components: Json): Json => {
  const isProblem = route.errors === 'problem';
  const hasCursor = codes.includes('cursor_expired');
  const shape = isProblem ? problem : status === 400 ? invalidError : plainError;
  // The body is made by what answers it, so that the example cannot differ in shape.
  const exampleOf = (code: Code): Json => ({
    value: JSON.parse(
      errorBody(route.errors, { code, message: messageOf(route, code), ...detailsOf(code) }, examplePath(route)).body,
    ) as unknown,
  });
  const media = {
    schema: schemaOf(hasCursor ? (isProblem ? expiredProblem : expiredError) : shape, 'output', components),
    examples: Object.fromEntries(codes.map((code) => [code, exampleOf(code)])),
  };
  return { [isProblem ? 'application/problem+json' : 'application/json']: media };
};

export const errorResponses = (route: Route, components: Json): Json =>
  Object.fromEntries(
    [...refusalsOf(route)].map(([status, codes]) => {
      const meaning = codes.map((code) => meaningOf(route, code)).join(' ');
      const headers = headersOf(route, status);
      if (!hasErrorBody(route, status)) return [status, { description: `${meaning} No body.`, headers }];
      return [status, { description: meaning, headers, content: contentOf(route, status, codes, components) }];
    }),
  );
