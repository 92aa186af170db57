import { hasRole, NEEDS_ALL_STORES, reachesStore, roleTooLow, type Actor } from '../../../../domain/identity/operator.ts';
import type { Application } from '../../../../application/index.ts';
import type { Locator } from '../../../../domain/ports/locator.ts';
import { notFound, refuse, type Refusal } from '../../../../domain/result.ts';
import { parseUuid } from '../../../../domain/values/uuid.ts';
import { Renewal, type EndedAccess } from '../../renewal.ts';
import { locatedId, type StoreRule } from '../../store-rule.ts';
import type { AccessRefusal, Admitted, RequestContext } from '../context.ts';
import { badKey } from '../reply/refusals.ts';
import { idempotencyKey, NO_CALLER, reject } from './admit.ts';

const ACCESS_ENDED = refuse('unauthenticated', 'The token or the session has ended.');

/**
 * True when the actor reaches the store of the request. A text that is not a UUID is nothing of any
 * store, and the route says so.
 */
const reaches = async (
  actor: Actor,
  rule: StoreRule,
  { request }: RequestContext,
  storeOf: Locator['storeOf'],
): Promise<boolean> => {
  if (actor.storeIds === null) return true;
  if (!('parameter' in rule)) return rule.by === 'own';
  const id = locatedId(rule, request.params);
  if (id === null) return true;
  const storeId = rule.by === 'store' ? id : await storeOf(rule.by, id);
  return storeId !== null && reachesStore(actor, storeId);
};

/** The key is the merchant's, in the store of the path: to claim it, the store must be there. */
const admitUnderKey = async (context: RequestContext, actor: Actor, storeOf: Locator['storeOf']): Promise<Admitted | null> => {
  const { route, request } = context;
  const rule = route.access.kind === 'admin' ? route.access.rule : null;
  if (rule === null || !('parameter' in rule)) throw new Error(`${route.path} takes a key and names no store`);
  const id = parseUuid(request.params[rule.parameter]);
  const storeId = id && (await storeOf(rule.by, id));
  if (storeId === null) return reject(context, notFound(rule.thing));
  const key = idempotencyKey(request);
  if (key === null) return reject(context, badKey(route));
  return { ...NO_CALLER, actor, key: { scope: { storeId, installationId: null, key }, known: null } };
};

/**
 * Reason why the actor may not call the route: 403 for a role that is too low, and for a route that
 * needs all stores; else 404.
 */
const refusalOf = async (
  context: RequestContext,
  actor: Actor,
  storeOf: Locator['storeOf'],
): Promise<(Refusal<'forbidden' | 'not_found'> & AccessRefusal) | null> => {
  const { access } = context.route;
  if (access.kind !== 'admin') return null;
  if (!hasRole(actor.role, access.needs)) return { ...roleTooLow(actor.role, access.needs), reason: 'role_too_low' };
  if (await reaches(actor, access.rule, context, storeOf)) return null;
  return { ...('thing' in access.rule ? notFound(access.rule.thing) : NEEDS_ALL_STORES), reason: 'other_store' };
};

/** Finds the actor as the next request would. Null when its token or session has ended. */
type Again = () => Promise<Actor | null>;

export interface OperatorAdmission {
  readonly actor: Actor;
  readonly again: Again;
  /** Session whose live streams end with it, and keep it no longer. Null for the admin token. */
  readonly session: { readonly id: string; readonly look: Again } | null;
}

/** A request that is long ends when the next one would be refused, or when its store is erased. */
const endedAccess = async (
  context: RequestContext,
  again: Again,
  { storeOf, getStore }: Pick<Application, 'getStore' | 'storeOf'>,
): Promise<EndedAccess | null> => {
  const present = await again();
  const refusal = present === null ? ACCESS_ENDED : await refusalOf(context, present, storeOf);
  if (refusal !== null) return refusal;
  const storeId = parseUuid(context.request.params['storeId']);
  const store = storeId === null ? null : await getStore(storeId);
  return store?.ok === false ? store : null;
};

/** Admits the actor to the route, or answers why not. What belongs to another store is answered as what does not exist. */
export const permit = async (
  context: RequestContext,
  { actor, again, session }: OperatorAdmission,
  application: Pick<Application, 'getStore' | 'storeOf'>,
): Promise<Admitted | null> => {
  const { route, notes } = context;
  if (route.access.kind !== 'admin') return NO_CALLER;
  if (actor.operatorId !== null) notes.operator = actor.operatorId;
  const refusal = await refusalOf(context, actor, application.storeOf);
  if (refusal !== null) {
    context.backend.audit?.refused(context, actor, refusal);
    return reject(context, refusal, refusal.reason);
  }
  context.renewal = new Renewal(() => endedAccess(context, again, application));
  context.session = session && {
    id: session.id,
    isValid: async () => (await endedAccess(context, session.look, application)) === null,
  };
  return route.idempotent ? admitUnderKey(context, actor, application.storeOf) : { ...NO_CALLER, actor };
};
