import { hasRole, NEEDS_ALL_STORES, reachesStore, roleTooLow, type Actor } from '../../../../domain/identity/operator.ts';
import type { Locator } from '../../../../domain/ports/locator.ts';
import { notFound } from '../../../../domain/result.ts';
import { parseUuid } from '../../../../domain/values/uuid.ts';
import type { StreamSession } from '../../live/live-sessions.ts';
import { locatedId, type StoreRule } from '../../store-rule.ts';
import type { Admitted, RequestContext } from '../context.ts';
import { BAD_KEY } from '../reply/refusals.ts';
import { idempotencyKey, NO_CALLER, reject } from './admit.ts';

/** Whether the actor reaches the store of the request. What is not a UUID is nothing of any store, and the route says so. */
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

/** The session of a stream, which ends when its actor does, or reaches the store no more. */
export const streamSession = ({ request }: RequestContext, id: string, look: () => Promise<Actor | null>): StreamSession => {
  const storeId = parseUuid(request.params['storeId']);
  return {
    id,
    isValid: async () => {
      const actor = await look();
      return actor !== null && (storeId === null || reachesStore(actor, storeId));
    },
  };
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
  if (key === null) return reject(context, BAD_KEY);
  return { ...NO_CALLER, actor, key: { scope: { storeId, installationId: null, key }, known: null } };
};

/**
 * Admits the actor to the route, or answers: 403 for a role that is too low, and for a route that
 * needs all stores; 404 for what belongs to another store, as for what does not exist.
 */
export const permit = async (context: RequestContext, actor: Actor, storeOf: Locator['storeOf']): Promise<Admitted | null> => {
  const { route, notes } = context;
  if (route.access.kind !== 'admin') return NO_CALLER;
  if (actor.operatorId !== null) notes.operator = actor.operatorId;
  if (!hasRole(actor.role, route.access.needs))
    return reject(context, roleTooLow(actor.role, route.access.needs), 'role_too_low');
  const { rule } = route.access;
  if (await reaches(actor, rule, context, storeOf))
    return route.idempotent ? admitUnderKey(context, actor, storeOf) : { ...NO_CALLER, actor };
  return reject(context, 'thing' in rule ? notFound(rule.thing) : NEEDS_ALL_STORES, 'other_store');
};
