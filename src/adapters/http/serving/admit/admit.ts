import type { Request } from 'express';

import { parseKey } from '../../../../domain/idempotency/idempotency.ts';
import type { Admitted, RequestContext } from '../context.ts';
import { hostOf, type StoreDomain, storeDomain, type TrustsProxy } from '../listener/host.ts';
import { errorReply } from '../reply/error-reply.ts';
import {
  STORE_HEADER_ELSEWHERE,
  STORE_HEADER_IN_PRODUCTION,
  type RouteError,
  NO_STORE_PAGE,
  NO_TOKEN,
  ONE_HOST,
  UNKNOWN_STORE,
  type Reason,
} from '../reply/refusals.ts';
import { send } from '../reply/respond.ts';

/**
 * Allows a request to name its store by `X-Tenon-Store`: in development, where few languages
 * resolve `*.localhost`.
 */
type StoreHeader = 'taken' | 'refused';

const OWN_ADDRESSES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The store that the header names, in place of that of the host (docs/specification/credentials.md, "Store of a request"). */
const storeOfHeader = (
  host: StoreDomain,
  names: readonly string[],
  header: StoreHeader,
): StoreDomain | { readonly kind: 'refused'; readonly error: RouteError } => {
  if (header === 'refused') return { kind: 'refused', error: STORE_HEADER_IN_PRODUCTION };
  const isOwn = host.kind === 'domain' && OWN_ADDRESSES.has(host.domain);
  const [name] = names;
  if (!isOwn || names.length > 1 || name === undefined) return { kind: 'refused', error: STORE_HEADER_ELSEWHERE };
  return hostOf(name);
};

/** For a route whose handler needs no caller. */
export const NO_CALLER: Admitted = { caller: null, actor: null, domain: null, platformApp: null, key: null };

/**
 * The token of one `Authorization: Bearer` header; null for none, for two and for another scheme.
 */
export const bearerToken = (request: Request): string | null => {
  const headers = request.headersDistinct['authorization'] ?? [];
  const match = headers.length === 1 ? /^Bearer +([^\s]+) *$/i.exec(headers[0] ?? '') : null;
  return match?.[1] ?? null;
};

/** The key of one `Idempotency-Key` header; null for none, for two and for one that is not valid. */
export const idempotencyKey = (request: Request): string | null => {
  const headers = request.headersDistinct['idempotency-key'] ?? [];
  return headers.length === 1 && headers[0] !== undefined ? parseKey(headers[0]) : null;
};

/** Answers a request that is not admitted. The reason is for the log. */
export const reject = (context: RequestContext, error: RouteError, reason?: Reason): null => {
  if (reason !== undefined) context.notes.reason = reason;
  void send(context, errorReply(context, error));
  return null;
};

/** Answers 401; the body is empty but on admin routes. */
export const unauthenticated = (context: RequestContext, reason: Reason): null => reject(context, NO_TOKEN, reason);

/** Rules by which the store of a request is found. */
export interface StoreRules {
  readonly trusts: TrustsProxy;
  readonly storeHeader?: StoreHeader;
}

/** The domain of the store that the request is for; null where the request was answered. */
export const domainOf = (context: RequestContext, { trusts, storeHeader = 'refused' }: StoreRules): string | null => {
  const { locals } = context.response;
  const isVisitor = context.route.access.kind === 'visitor';
  if (locals.placed !== undefined) {
    locals.domain = locals.placed;
    return locals.placed;
  }
  const names = context.request.headersDistinct['x-tenon-store'];
  const asked = storeDomain(context.request, trusts);
  const host = names === undefined ? asked : storeOfHeader(asked, names, storeHeader);
  if (host.kind === 'refused') return reject(context, host.error);
  if (host.kind === 'domain') {
    locals.domain = host.domain;
    return host.domain;
  }
  return host.kind === 'repeated'
    ? reject(context, ONE_HOST)
    : reject(context, isVisitor ? NO_STORE_PAGE : UNKNOWN_STORE, 'unknown_store');
};
