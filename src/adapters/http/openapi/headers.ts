import type { Json } from './schema.ts';
import type { Route } from '../route-declaration.ts';

export const HEADERS = {
  'X-Request-Id': {
    description: 'Identifies the request in the log. Present on every response.',
    schema: { type: 'string', format: 'uuid' },
    example: '5f0c1a52-7d0e-4c1b-9a53-0f6c2f1b7a10',
  },
  'RateLimit-Policy': {
    description: 'The limits that apply, each with its quota `q` and its window `w` in seconds.',
    schema: { type: 'string' },
    example: '"installation";q=500;w=10',
  },
  RateLimit: {
    description: 'The remaining requests, `r`, and the seconds until the quota is full again, `t`.',
    schema: { type: 'string' },
    example: '"installation";r=499;t=1',
  },
  'Retry-After': {
    description: 'Seconds to wait before you retry. A 409 has it only while the first request is still running.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  ETag: {
    description: 'Send it as If-None-Match to get 304 while nothing has changed, or as If-Match where a write takes that.',
    schema: { type: 'string' },
    example: '"Xv4bq0pYbXqfNq8c0nWmJm1oGmk"',
  },
  'Content-Range': {
    description: 'The returned range, and the full size in bytes.',
    schema: { type: 'string' },
    example: 'bytes 0-1023/48213',
  },
  'Idempotent-Replay': {
    description: 'Present only if this is the remembered response to an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  'Idempotent-Replayed': {
    description: 'The same as `Idempotent-Replay`, under the name that other services use.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  'WWW-Authenticate': {
    description:
      '`Bearer`. A 403 also has `error="insufficient_scope"` and the required `scope`. The token route sends `Basic`, because it accepts HTTP Basic, and what is wrong with the form: `error` and `error_description`.',
    schema: { type: 'string' },
    example: 'Bearer',
  },
  'Cache-Control': {
    description: 'The response must not be stored.',
    schema: { type: 'string', enum: ['no-store'] },
    example: 'no-store',
  },
  'Accept-Encoding': {
    description: 'Only uncompressed bodies are accepted.',
    schema: { type: 'string', enum: ['identity'] },
    example: 'identity',
  },
} as const satisfies Readonly<Record<string, Json>>;

type Header = keyof typeof HEADERS;

/**
 * An app's limit is its installation's, which is not known before a 401; the token route's are the
 * address's and the client's. The admin's is on wrong tokens alone.
 */
const isLimited = ({ access: { kind } }: Route, status: number): boolean =>
  kind === 'client' || kind === 'developer' || (kind === 'app' ? status !== 401 : status === 429);

const hasRetryAfter = ({ idempotent, otherStatus }: Route, status: number): boolean =>
  status === 429 || (status === 503 && otherStatus?.status !== 503) || (status === 409 && idempotent);

/** A refusal of the body is remembered as the work's answer is. */
const mayBeReplay = ({ idempotent, status: success }: Route, status: number): boolean =>
  idempotent && (status === success || status === 400);

export const headersOf = (route: Route, status: number): Json => {
  const { access, etag, response } = route;
  const success = status === route.status;
  const when: Readonly<Record<Header, boolean>> = {
    'X-Request-Id': true,
    'RateLimit-Policy': isLimited(route, status),
    RateLimit: isLimited(route, status),
    'Retry-After': hasRetryAfter(route, status),
    ETag: etag && response !== null && (success || status === 206 || status === 304),
    'Content-Range': status === 206 || status === 416,
    'Idempotent-Replay': mayBeReplay(route, status),
    'Idempotent-Replayed': mayBeReplay(route, status),
    'WWW-Authenticate': access.kind !== 'public' && (status === 401 || status === 403),
    'Cache-Control': access.kind === 'client' || access.kind === 'developer',
    'Accept-Encoding': status === 415,
  };
  const names = Object.entries(when).flatMap(([name, there]) => (there ? [name] : []));
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
};
