import type { Request } from 'express';

import type { Application } from '../../../application/index.ts';
import { parseKey } from '../../../domain/idempotency/idempotency.ts';
import { covers } from '../../../domain/identity/scope.ts';
import type { EnforcedScope } from '../../../domain/identity/scope.ts';
import { parseCredential } from '../../../domain/identity/token.ts';
import type { RateLimiter } from '../../../domain/ports/rate-limiter.ts';
import { refuse } from '../../../domain/result.ts';
import { bearerToken, NO_CALLER, reject } from './admit.ts';
import type { Admit, Admitted } from './admit.ts';
import type { RequestContext } from './context.ts';
import type { FailedTokens, TokenLookup } from './failed-tokens.ts';
import { clientAddress, storeDomain } from './host.ts';
import type { TrustsProxy } from './host.ts';
import { addressKey, setRateLimitHeaders } from './rate-limit.ts';
import { BAD_KEY, NO_TOKEN, ONE_HOST, TOO_MANY_BAD_TOKENS, TOO_MANY_REQUESTS } from './refusals.ts';

export interface AppAdmission {
  readonly application: Application;
  readonly limiter: RateLimiter;
  readonly failures: FailedTokens;
  readonly trusts: TrustsProxy;
}

const unauthenticated = (context: RequestContext, reason: string): null => reject(context, NO_TOKEN, reason);

const idempotencyKey = (request: Request): string | null => {
  const headers = request.headersDistinct['idempotency-key'] ?? [];
  return headers.length === 1 && headers[0] !== undefined ? parseKey(headers[0]) : null;
};

/** A token with a wrong checksum costs no lookup and is always answered 401. */
const rejectToken = (context: RequestContext, token: string, refused: Extract<TokenLookup, { ok: false }>): null => {
  if (refused.reason !== 'rate_limited') return unauthenticated(context, refused.reason);
  if (!parseCredential('accessToken', token)) return unauthenticated(context, 'malformed');
  setRateLimitHeaders(context.response, 'failed-tokens', refused.limit);
  return reject(context, TOO_MANY_BAD_TOKENS, 'failed_tokens');
};

const admitTo = async (scope: EnforcedScope, options: AppAdmission, context: RequestContext): Promise<Admitted | null> => {
  const { application, limiter, failures, trusts } = options;
  const { route, request, response, notes } = context;
  const host = storeDomain(request, trusts);
  if (host.kind === 'repeated') return reject(context, ONE_HOST);
  if (host.kind === 'unknown') return unauthenticated(context, 'unknown_store');
  const token = bearerToken(request);
  if (token === null) return unauthenticated(context, 'no_token');
  const key = route.idempotent ? idempotencyKey(request) : null;
  const address = (): string => addressKey(clientAddress(request, trusts));
  const found = await failures.lookUp(token, address, () => application.authenticate(token, host.domain, key));
  if (!found.ok) return rejectToken(context, token, found);
  const { caller, known } = found;
  notes.store = caller.storeId;
  notes.installation = caller.installationId;
  const limit = await limiter.consume('installation', caller.installationId);
  setRateLimitHeaders(response, 'installation', limit);
  if (!limit.allowed) return reject(context, TOO_MANY_REQUESTS);
  if (!covers(caller.scopes, scope)) {
    response.setHeader('WWW-Authenticate', `Bearer error="insufficient_scope", scope="${scope}"`);
    return reject(context, refuse('forbidden', ''), `needs ${scope}`);
  }
  if (!route.idempotent) return { caller, key: null };
  if (key === null) return reject(context, BAD_KEY);
  // The app may be uninstalled while the body arrives. Then the key is looked up again.
  return { caller, key: { scope: { installationId: caller.installationId, key }, known: request.complete ? known : null } };
};

/** App routes, in the order of decisions.md: store, token (401), rate limit (429), scope (403), idempotency key (400). */
export const admitApps =
  (options: AppAdmission): Admit =>
  (context) => {
    const { access } = context.route;
    return access.kind === 'app' ? admitTo(access.scope, options, context) : Promise.resolve(NO_CALLER);
  };
