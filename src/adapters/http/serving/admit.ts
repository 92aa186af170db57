import type { Request } from 'express';

import type { Caller } from '../../../domain/identity/caller.ts';
import type { KeyScope, KnownKey } from '../../../domain/ports/idempotency-repository.ts';
import type { RequestContext } from './context.ts';
import { send } from './respond.ts';
import { errorReply } from './error-reply.ts';
import { storeDomain } from './host.ts';
import type { TrustsProxy } from './host.ts';
import { NO_TOKEN, ONE_HOST, UNKNOWN_STORE } from './refusals.ts';
import type { RouteError } from './refusals.ts';

/** A request whose caller may use the route. */
export interface Admitted {
  /** The installation that calls; null on routes that are not for apps. */
  readonly caller: Caller | null;
  /** The domain that the request is for; null on routes of the admin and of anyone. */
  readonly domain: string | null;
  /** The idempotency key, on a route that takes one. */
  readonly key: IdempotencyKey | null;
}

/** A key, and the finished request that it belongs to. */
export interface IdempotencyKey {
  readonly scope: KeyScope;
  readonly known: KnownKey | null;
}

/** Admits a request, or answers it and gives null. */
export type Admit = (context: RequestContext) => Promise<Admitted | null>;

/** Of a route whose handler needs no caller. */
export const NO_CALLER: Admitted = { caller: null, domain: null, key: null };

/**
 * The token of one `Authorization: Bearer` header; null for none, for two and for another scheme.
 */
export const bearerToken = (request: Request): string | null => {
  const headers = request.headersDistinct['authorization'] ?? [];
  const match = headers.length === 1 ? /^Bearer +([^\s]+) *$/i.exec(headers[0] ?? '') : null;
  return match?.[1] ?? null;
};

/** Answers a request that is not admitted. The reason is for the log. */
export const reject = (context: RequestContext, error: RouteError, reason?: string): null => {
  if (reason !== undefined) context.notes.reason = reason;
  void send(context, errorReply(context, error));
  return null;
};

/** Answers 401; the body is empty but on admin routes. */
export const unauthenticated = (context: RequestContext, reason: string): null => reject(context, NO_TOKEN, reason);

/** The domain of the store that the request is for; null where the request was answered. */
export const domainOf = (context: RequestContext, trusts: TrustsProxy): string | null => {
  const host = storeDomain(context.request, trusts);
  if (host.kind === 'domain') {
    context.response.locals.domain = host.domain;
    return host.domain;
  }
  return host.kind === 'repeated' ? reject(context, ONE_HOST) : reject(context, UNKNOWN_STORE, 'unknown_store');
};
