import type { Request, Response } from 'express';

import type { Application } from '../../../application/index.ts';
import type { Caller } from '../../../domain/identity/caller.ts';
import { parseKey } from '../../../domain/idempotency/idempotency.ts';
import type { KeyScope, KnownKey } from '../../../domain/ports/idempotency-repository.ts';
import type { RateLimiter } from '../../../domain/ports/rate-limiter.ts';
import { covers } from '../../../domain/identity/scope.ts';
import { parseCredential } from '../../../domain/identity/token.ts';
import type { FailedTokens, TokenLookup } from './failed-tokens.ts';
import { clientAddress, storeDomain } from './host.ts';
import type { TrustsProxy } from './host.ts';
import { addressKey, setRateLimitHeaders } from './rate-limit.ts';
import { sendEmpty, sendError } from './respond.ts';
import type { Route } from '../route.ts';

/** A request that may go on. */
export interface Passage {
  readonly caller: Caller | null;
  /** The key it came with, on a route that takes one. */
  readonly idempotency: IdempotencyKey | null;
}

/** A key, and what it has finished with. */
export interface IdempotencyKey {
  readonly scope: KeyScope;
  readonly known: KnownKey | null;
}

/** Lets a request pass, or answers it and gives null. */
export type Gate = (route: Route, req: Request, res: Response) => Promise<Passage | null>;

export const NO_CALLER: Passage = { caller: null, idempotency: null };

/** The token of one `Authorization: Bearer` header; null for none, two, or another scheme. */
export const bearerToken = (req: Request): string | null => {
  const headers = req.headersDistinct['authorization'] ?? [];
  const match = headers.length === 1 ? /^Bearer +([^\s]+) *$/i.exec(headers[0] ?? '') : null;
  return match?.[1] ?? null;
};

/** 401 with an empty body, as every app route has it; the reason is for the log. */
export const unauthenticated = (res: Response, reason: string): null => {
  res.locals.notes.reason = reason;
  res.setHeader('WWW-Authenticate', 'Bearer');
  sendEmpty(res, 401);
  return null;
};

const TOO_MANY_FAILURES =
  'Too many requests from this address had an invalid access token. Retry after the number of seconds in Retry-After.';

/** A blank, over-long, repeated or unprintable key, or none. */
const BAD_KEY = 'Idempotency-Key is required once: 1 to 255 printable ASCII characters';

const idempotencyKey = (req: Request): string | null => {
  const headers = req.headersDistinct['idempotency-key'] ?? [];
  return headers.length === 1 && headers[0] !== undefined ? parseKey(headers[0]) : null;
};

/** 401, or 429 where the address has sent too many invalid tokens. A token with a bad checksum costs no lookup and is always 401. */
const refuseToken = (route: Route, req: Request, res: Response, refused: Extract<TokenLookup, { ok: false }>): null => {
  if (refused.reason !== 'rate_limited') return unauthenticated(res, refused.reason);
  if (!parseCredential('accessToken', bearerToken(req) ?? '')) return unauthenticated(res, 'malformed');
  res.locals.notes.reason = 'failed_tokens';
  setRateLimitHeaders(res, 'failed-tokens', refused.limit);
  sendError(req, res, route.errors, 'rate_limited', TOO_MANY_FAILURES);
  return null;
};

/** App routes, in the order of decisions.md: store, token (401), rate limit (429), scope (403), idempotency key (400). */
export const appGate =
  (app: Application, limiter: RateLimiter, failures: FailedTokens, trusts: TrustsProxy): Gate =>
  async (route, req, res) => {
    if (route.access.kind !== 'app') return NO_CALLER;
    const host = storeDomain(req, trusts);
    if (host.kind === 'repeated') {
      sendError(req, res, route.errors, 'invalid', 'a request must have one Host header');
      return null;
    }
    if (host.kind === 'unknown') return unauthenticated(res, 'unknown_store');
    const token = bearerToken(req);
    if (token === null) return unauthenticated(res, 'no_token');
    const key = route.idempotent ? idempotencyKey(req) : null;
    const address = (): string => addressKey(clientAddress(req, trusts));
    const authentication = await failures.lookUp(token, address, () => app.authenticate(token, host.domain, key));
    if (!authentication.ok) return refuseToken(route, req, res, authentication);
    const { caller, known } = authentication;
    const { notes } = res.locals;
    notes.store = caller.storeId;
    notes.installation = caller.installationId;
    const limit = await limiter.consume('installation', caller.installationId);
    setRateLimitHeaders(res, 'installation', limit);
    if (!limit.allowed) {
      sendError(req, res, route.errors, 'rate_limited', 'too many requests; wait the seconds of Retry-After');
      return null;
    }
    const { scope } = route.access;
    if (!covers(caller.scopes, scope)) {
      notes.reason = `needs ${scope}`;
      res.setHeader('WWW-Authenticate', `Bearer error="insufficient_scope", scope="${scope}"`);
      sendEmpty(res, 403);
      return null;
    }
    if (!route.idempotent) return { caller, idempotency: null };
    if (key === null) {
      sendError(req, res, route.errors, 'invalid', BAD_KEY);
      return null;
    }
    // While a body is still to come the app may be uninstalled: then the key is looked at again.
    return { caller, idempotency: { scope: { installationId: caller.installationId, key }, known: req.complete ? known : null } };
  };
