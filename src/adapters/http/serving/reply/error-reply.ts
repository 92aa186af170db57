import type { Request, Response } from 'express';

import type { JudgedParts } from '../../judged-parts.ts';
import type { Response as StoredResponse } from '../../../../application/idempotency/run-idempotently.ts';
import type { Caller } from '../../../../domain/identity/caller.ts';
import type { Check } from '../../../../domain/insight/refused-request.ts';
import type { RequestNotes } from '../../handler.ts';
import type { OpenRequest } from '../listener/in-flight.ts';
import { errorPage, wantsPage } from './error-page.ts';
import { errorBody, STATUS_OF, type ErrorCode, type NotedRefusal, type RouteError } from './refusals.ts';
import type { ErrorShape, Route } from '../../route-declaration.ts';

/** Values that a response carries from the listener to the end of its request. */
declare module 'express-serve-static-core' {
  interface Locals {
    notes: RequestNotes;
    open: OpenRequest;
    domain?: string;
    /** The app that calls with an access token. Absent for its developer in the app console. */
    caller?: Caller;
    /** The domain of the store whose pages of an app's console these are, where the path names it. */
    placed?: string;
    refusal?: NotedRefusal;
    /** Latest check when the request failed. Absent outside the routes of apps. */
    check?: Check;
  }
}

export interface Reply extends Omit<StoredResponse, 'body'> {
  readonly body: Uint8Array | AsyncIterable<string | Uint8Array>;
  /**
   * Set where the body of the request was not read: the reply is sent while the body still arrives.
   */
  readonly unread?: boolean;
  /** The parts of the body. Set if its reader is judged again before each part. */
  readonly judged?: Pick<JudgedParts, 'isCut'>;
}

/** A request on its way to its reply. RequestContext is one. */
export interface Exchange {
  readonly route: Route;
  readonly request: Request;
  readonly response: Response;
  readonly notes: RequestNotes;
  readonly backend: { readonly stallSeconds?: number };
  /** Notes the refusal for the request log. The last one counts. */
  refused(refusal: NotedRefusal): void;
}

export const NO_BODY: Uint8Array = new Uint8Array();

const HEADERS_OF: Partial<Record<ErrorCode, Readonly<Record<string, string>>>> = {
  unsupported_media_type: { 'Accept-Encoding': 'identity' },
  idempotency_in_progress: { 'Retry-After': '1' },
  unavailable: { 'Retry-After': '1' },
};

/**
 * An error where no route says more than the shape: unknown paths, and what fails before a route is
 * found.
 */
export const plainErrorReply = (shape: ErrorShape, error: RouteError, request: Request, response: Response): Reply => {
  const status = STATUS_OF[error.code];
  if (shape.startsWith('page') && wantsPage(request)) {
    const { headers, body } = errorPage(error, response);
    return { status, headers: { ...HEADERS_OF[error.code], ...headers }, body };
  }
  const { contentType, body } = errorBody(shape, error, request.path);
  return {
    status,
    headers: { ...HEADERS_OF[error.code], 'Content-Type': contentType },
    body: Buffer.from(body),
    ...(error.code === 'payload_too_large' && { unread: true }),
  };
};

/**
 * True when an error of the route has a body: a 401 and a 403 of the app API are empty
 * (docs/specification/requests.md, "Errors").
 */
export const hasErrorBody = ({ access }: Route, status: number): boolean =>
  access.kind === 'admin' || (status !== 401 && status !== 403);

/**
 * Hides what is wrong with credentials from the client: every error in them or in the form is an
 * empty 401.
 */
const HIDDEN: ReadonlySet<ErrorCode> = new Set(['unauthenticated', 'payload_too_large']);

/**
 * Challenge of the scheme that the token route takes beside its form (RFC 6749, 5.2). Every 401 has
 * one (RFC 9110, 15.5.2).
 */
const CHALLENGE = 'Basic realm="token", charset="UTF-8"';

/**
 * A form that cannot be read says so by the code and description of RFC 6749, 5.2. They are in the challenge, because every
 * failure of the route is an empty 401 (the customer's specification of the app API).
 */
const challengeOf = ({ reason, code, message }: RouteError): string => {
  if (reason !== 'malformed_form' && code !== 'payload_too_large') return CHALLENGE;
  const error = message.startsWith('grant_type') ? 'unsupported_grant_type' : 'invalid_request';
  return `${CHALLENGE}, error="${error}", error_description="${message}"`;
};

export const errorReply = (exchange: Exchange, error: RouteError): Reply => {
  const { route, request, response, notes } = exchange;
  if (error.reason !== undefined) notes.reason ??= error.reason;
  exchange.refused({ code: error.code, check: error.check ?? 'work' });
  if (route.errors === 'credentials' && HIDDEN.has(error.code)) {
    const headers = { 'WWW-Authenticate': challengeOf(error) };
    return { status: 401, headers, body: NO_BODY, unread: error.code === 'payload_too_large' };
  }
  if (error.code === 'unauthenticated') response.setHeader('WWW-Authenticate', 'Bearer');
  const status = STATUS_OF[error.code];
  return hasErrorBody(route, status)
    ? plainErrorReply(route.errors, error, request, response)
    : { status, headers: {}, body: NO_BODY };
};
