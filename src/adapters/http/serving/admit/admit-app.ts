import type { Request } from 'express';

import type { LookAhead } from '../../../../domain/ports/identity/admission.ts';
import { callerKey, type Caller } from '../../../../domain/identity/caller.ts';
import { covers, type EnforcedScope } from '../../../../domain/identity/scope.ts';
import { refuse } from '../../../../domain/result.ts';
import { parseUuid } from '../../../../domain/values/uuid.ts';
import type { Route } from '../../route-declaration.ts';
import { Renewal, type EndedAccess } from '../../renewal.ts';
import { domainOf, idempotencyKey, NO_CALLER, reject, unauthenticated } from './admit.ts';
import { admitDeveloper } from './admit-developer.ts';
import { limitedByAddress, rejectToken, type AppAdmission } from './app-admission.ts';
import type { Admit, Admitted, RequestContext } from '../context.ts';
import { clientAddress } from '../listener/host.ts';
import { addressKey } from '../reply/rate-limit.ts';
import { badKey, refusedAt, NO_TOKEN } from '../reply/refusals.ts';

/** Chooses the request's next look-up. An id that is not a UUID has no version. */
const lookAheadOf = ({ looksUp }: Route, request: Request, key: string | null): LookAhead | null => {
  if (key !== null) return { kind: 'key', key };
  if (looksUp === null) return null;
  const id = parseUuid(request.params['id']);
  return id === null ? null : { kind: looksUp, id };
};

const hasScope = (needed: readonly EnforcedScope[], had: Caller['scopes']): boolean =>
  needed.length === 0 || needed.some((scope) => covers(had, scope));

const needs = (scopes: readonly EnforcedScope[]) => `needs ${scopes.join(' or ')}` as const;

/** For a request that waits: its token may end meanwhile, and its scopes may change. */
const authenticatingAgain =
  ({ credential }: AppAdmission, { notes }: RequestContext, token: string, domain: string) =>
  async (): Promise<Caller | null> => {
    const found = await credential.authenticate(token, domain, null);
    if (found.ok) return found.caller;
    notes.reason = found.reason;
    return null;
  };

/** Returns the refusal of an app whose token has ended, or that has lost the scope of the route. */
const endedAccess = async (context: RequestContext, scopes: readonly EnforcedScope[]): Promise<EndedAccess | null> => {
  const present = await context.renewCaller();
  if (present === null) return NO_TOKEN;
  if (hasScope(scopes, present.scopes)) return null;
  context.notes.reason ??= needs(scopes);
  return refuse('forbidden', '');
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
  if (credential.kind === 'accessToken') response.locals.caller = caller;
  const limited = await context.limit('installation', callerKey(caller));
  if (limited) return reject(context, limited);
  if (!hasScope(scopes, caller.scopes)) {
    response.setHeader('WWW-Authenticate', `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"`);
    return reject(context, refusedAt('scope', refuse('forbidden', '')), needs(scopes));
  }
  context.authenticateAgain = authenticatingAgain(options, context, token, domain);
  context.renewal = new Renewal(() => endedAccess(context, scopes));
  if (!route.idempotent) return { ...NO_CALLER, caller, domain };
  if (key === null) return reject(context, badKey(route));
  // The app may be uninstalled while the body arrives. Then the key is looked up again.
  const known = request.complete ? found.known : null;
  return {
    ...NO_CALLER,
    caller,
    domain,
    key: { scope: { storeId: caller.storeId, installationId: caller.installationId, key }, known },
  };
};

/** A client proves who it is in the body. A visitor proves nothing. */
const admitClient = async (options: AppAdmission, context: RequestContext): Promise<Admitted | null> => {
  const limited = await limitedByAddress(options, context);
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
    // No admin route is mounted here. If one were, nobody would get in.
    if (access.kind === 'admin') return Promise.resolve(unauthenticated(context, 'admin_route'));
    if (access.kind === 'developer') return admitDeveloper(options, context);
    return access.kind === 'client' || access.kind === 'visitor' ? admitClient(options, context) : Promise.resolve(NO_CALLER);
  };
