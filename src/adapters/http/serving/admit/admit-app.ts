import type { Request } from 'express';

import type { Application } from '../../../../application/index.ts';
import type { Authenticated } from '../../../../application/identity/authenticate.ts';
import type { LookAhead } from '../../../../domain/ports/identity/admission.ts';
import type { Caller } from '../../../../domain/identity/caller.ts';
import { parseKey } from '../../../../domain/idempotency/idempotency.ts';
import { covers, type EnforcedScope } from '../../../../domain/identity/scope.ts';
import { parseCredential } from '../../../../domain/identity/token.ts';
import { refuse } from '../../../../domain/result.ts';
import { parseUuid } from '../../../../domain/values/uuid.ts';
import type { Route } from '../../route-declaration.ts';
import { bearerToken, domainOf, NO_CALLER, reject, unauthenticated, type StoreRules } from './admit.ts';
import type { Admit, Admitted, RequestContext } from '../context.ts';
import type { FailedTokens, TokenLookup } from './failed-tokens.ts';
import { clientAddress } from '../listener/host.ts';
import { addressKey, setRateLimitHeaders } from '../reply/rate-limit.ts';
import { at, BAD_KEY, TOO_MANY_BAD_TOKENS } from '../reply/refusals.ts';

export interface AppCredential {
  readonly kind: 'accessToken' | 'session';
  /** Null where the request does not show one. */
  readonly read: (request: Request) => string | null;
  readonly authenticate: (credential: string, domain: string, lookAhead: LookAhead | null) => Promise<Authenticated>;
}

/** A bearer token (docs/specification/credentials.md, "Calls"). */
export const bearerCredential = (application: Pick<Application, 'authenticate'>): AppCredential => ({
  kind: 'accessToken',
  read: bearerToken,
  authenticate: application.authenticate,
});

interface AppAdmission extends StoreRules {
  readonly credential: AppCredential;
  readonly failures: FailedTokens;
}

const idempotencyKey = (request: Request): string | null => {
  const headers = request.headersDistinct['idempotency-key'] ?? [];
  return headers.length === 1 && headers[0] !== undefined ? parseKey(headers[0]) : null;
};

/** What the request needs next. An id that is not a UUID has no version. */
const lookAheadOf = ({ looksUp }: Route, request: Request, key: string | null): LookAhead | null => {
  if (key !== null) return { kind: 'key', key };
  if (looksUp === null) return null;
  const id = parseUuid(request.params['id']);
  return id === null ? null : { kind: looksUp, id };
};

/** A token with a wrong checksum costs no lookup and is always answered 401. */
const rejectToken = (
  context: RequestContext,
  { kind }: AppCredential,
  token: string,
  refused: Extract<TokenLookup, { ok: false }>,
): null => {
  if (refused.reason !== 'rate_limited') return unauthenticated(context, refused.reason);
  if (!parseCredential(kind, token)) return unauthenticated(context, 'malformed');
  setRateLimitHeaders(context.response, 'failed-tokens', refused.limit);
  return reject(context, TOO_MANY_BAD_TOKENS, 'failed_tokens');
};

/** For a request that waits: its token may end meanwhile, and its scopes may change. */
const authenticatingAgain =
  ({ credential }: AppAdmission, { notes }: RequestContext, token: string, domain: string) =>
  async (): Promise<Caller | null> => {
    const found = await credential.authenticate(token, domain, null);
    if (found.ok) return found.caller;
    notes.reason = found.reason;
    return null;
  };

const admitTo = async (
  scopes: readonly EnforcedScope[],
  options: AppAdmission,
  context: RequestContext,
): Promise<Admitted | null> => {
  const { credential, failures, trusts } = options;
  const { route, request, response, notes } = context;
  const domain = domainOf(context, options);
  if (domain === null) return null;
  const token = credential.read(request);
  if (token === null) return unauthenticated(context, 'no_token');
  const key = route.idempotent ? idempotencyKey(request) : null;
  const lookAhead = lookAheadOf(route, request, key);
  const address = (): string => addressKey(clientAddress(request, trusts));
  const found = await failures.lookUp(token, address, () => credential.authenticate(token, domain, lookAhead));
  if (!found.ok) return rejectToken(context, credential, token, found);
  const { caller } = found;
  context.version = found.version;
  notes.store = caller.storeId;
  notes.installation = caller.installationId;
  const limited = await context.limit('installation', caller.installationId);
  if (limited) return reject(context, limited);
  if (scopes.length > 0 && !scopes.some((scope) => covers(caller.scopes, scope))) {
    response.setHeader('WWW-Authenticate', `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"`);
    return reject(context, at('scope', refuse('forbidden', '')), `needs ${scopes.join(' or ')}`);
  }
  context.authenticateAgain = authenticatingAgain(options, context, token, domain);
  if (!route.idempotent) return { caller, actor: null, domain, key: null };
  if (key === null) return reject(context, BAD_KEY);
  // The app may be uninstalled while the body arrives. Then the key is looked up again.
  const known = request.complete ? found.known : null;
  return {
    caller,
    actor: null,
    domain,
    key: { scope: { storeId: caller.storeId, installationId: caller.installationId, key }, known },
  };
};

/** A client proves who it is in the body. Its address is counted before the body is read. */
const admitClient = async (options: AppAdmission, context: RequestContext): Promise<Admitted | null> => {
  const { request, response } = context;
  response.setHeader('Cache-Control', 'no-store');
  const limited = await context.limit('token-address', addressKey(clientAddress(request, options.trusts)));
  if (limited) return reject(context, limited);
  const domain = domainOf(context, options);
  return domain === null ? null : { ...NO_CALLER, domain };
};

/**
 * App routes, in the order of docs/specification/requests.md, "Order of checks": store, token
 * (401), rate limit (429), scope (403), idempotency key (400).
 */
export const admitApps =
  (options: AppAdmission): Admit =>
  (context) => {
    const { access } = context.route;
    if (access.kind === 'app') return admitTo(access.scopes, options, context);
    // None is mounted here. If one were, nobody would get in.
    if (access.kind === 'admin') return Promise.resolve(unauthenticated(context, 'admin_route'));
    return access.kind === 'client' ? admitClient(options, context) : Promise.resolve(NO_CALLER);
  };
