import { hash } from 'node:crypto';

import type { Response as StoredResponse } from '../../../application/idempotency/run-idempotently.ts';
import { Raw } from '../answer.ts';
import type { Outcome } from '../handler.ts';
import type { RequestContext } from './context.ts';
import { errorBody, STATUS_OF } from './refusals.ts';
import type { ErrorCode, RouteError } from './refusals.ts';
import type { ErrorShape, Route } from '../route.ts';

/** A response, ready to be sent. A stream is sent as it is produced. */
export interface Reply extends Omit<StoredResponse, 'body'> {
  readonly body: Uint8Array | AsyncIterable<string | Uint8Array>;
  /** Set where the body of the request was not read: the reply is sent while the body still arrives. */
  readonly unread?: boolean;
}

const JSON_TYPE = 'application/json; charset=utf-8';
export const NO_BODY: Uint8Array = new Uint8Array();

/** The headers that belong to a code, whatever the route. */
const HEADERS_OF: Partial<Record<ErrorCode, Readonly<Record<string, string>>>> = {
  unsupported_media_type: { 'Accept-Encoding': 'identity' },
  idempotency_in_progress: { 'Retry-After': '1' },
  unavailable: { 'Retry-After': '1' },
};

/** An error where no route says more than the shape: unknown paths, and what fails before a route is found. */
export const plainErrorReply = (shape: ErrorShape, error: RouteError, path: string): Reply => {
  const { contentType, body } = errorBody(shape, error, path);
  return {
    status: STATUS_OF[error.code],
    headers: { ...HEADERS_OF[error.code], 'Content-Type': contentType },
    body: Buffer.from(body),
    ...(error.code === 'payload_too_large' && { unread: true }),
  };
};

/** Whether a 401 or 403 of the route has a body (app-api.md, Errors: those of the app API are empty). */
export const hasErrorBody = ({ access }: Route, status: number): boolean =>
  access.kind === 'admin' || (status !== 401 && status !== 403);

/** An error as its route writes it. */
export const errorReply = ({ route, request, response }: RequestContext, error: RouteError): Reply => {
  if (error.code === 'unauthenticated') response.setHeader('WWW-Authenticate', 'Bearer');
  const status = STATUS_OF[error.code];
  return hasErrorBody(route, status)
    ? plainErrorReply(route.errors, error, request.path)
    : { status, headers: {}, body: NO_BODY };
};

/** Whether an If-None-Match header has the tag. */
export const matches = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag) ?? false;

const encodeRaw = ({ route, request }: RequestContext, { body, contentType }: Raw): Reply => {
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    if (route.idempotent) throw new Error('an idempotent route cannot answer with a stream: its response could not be kept');
    return { status: route.status, headers: { 'Content-Type': contentType }, body };
  }
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (!route.etag) return { status: route.status, headers: { 'Content-Type': contentType }, body: bytes };
  const etag = `"${hash('sha1', bytes, 'base64url')}"`;
  return matches(request.headers['if-none-match'], etag)
    ? { status: 304, headers: { ETag: etag }, body: NO_BODY }
    : { status: route.status, headers: { ETag: etag, 'Content-Type': contentType }, body: bytes };
};

/** Encodes what the handler answered, as the route declares it. */
export const encode = (context: RequestContext, outcome: Outcome): Reply => {
  if (!outcome.ok) return errorReply(context, outcome);
  const { route } = context;
  if (outcome.value instanceof Raw) return encodeRaw(context, outcome.value);
  if (route.response === null) return { status: route.status, headers: {}, body: NO_BODY };
  return { status: route.status, headers: { 'Content-Type': JSON_TYPE }, body: Buffer.from(JSON.stringify(outcome.value)) };
};
