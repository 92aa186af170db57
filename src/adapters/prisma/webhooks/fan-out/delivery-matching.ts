import { EVENT_SCOPES } from '../../../../domain/webhooks/event.ts';
import { statusOf } from '../../work/installation-status.ts';
import type { EnforcedScope } from '../../../../domain/identity/scope.ts';

/** A write_ scope includes its read_ scope. */
const accepted = (needed: EnforcedScope): string => `ARRAY['${needed}', '${needed.replace(/^read_/, 'write_')}']`;

/**
 * The scopes that allow an installation to receive events of the type: it needs one of them. Null for types
 * that no app receives. Only asked for where there is an app.
 */
const acceptedScopes = (type: string): string => {
  const scopes = [...new Set(Object.values(EVENT_SCOPES))];
  const typesOf = (scope: EnforcedScope): string =>
    Object.entries(EVENT_SCOPES)
      .flatMap(([one, needed]) => (needed === scope ? [`'${one}'`] : []))
      .join(', ');
  return `CASE ${scopes.map((scope) => `WHEN ${type} IN (${typesOf(scope)}) THEN ${accepted(scope)}`).join(' ')} END`;
};

/**
 * Whether subscription `s`, with its installation `i` outer-joined, may receive an event. `type`
 * and `origin` are SQL. A `ping` is for the subscription it
 * was requested for. Events about the data of one app (metaobject.*, media.*) go to that app and to
 * the merchant only. The event address of a platform app receives what is about its installations: `resource` is SQL for
 * the id of what the event is about. OFFSET 0: the planner may hash the whole table otherwise.
 */
export const mayReceive = (type: string, origin: string, resource = 'e.resource_id'): string => `(s.is_active
  AND (s.app_id IS NULL OR ${type} = 'ping' OR EXISTS (SELECT FROM (
    SELECT app_id FROM installations WHERE store_id = $storeId AND id = CASE WHEN ${type} ~ '^app[.]' THEN ${resource}::uuid END OFFSET 0) o
    WHERE o.app_id = s.app_id))
  AND (s.installation_id IS NULL
  OR (i.status <> 'Uninstalled' AND (${type} = 'ping' OR i.scopes && ${acceptedScopes(type)})
    AND (${type} !~ '^(metaobject|media)[.]' OR coalesce(${origin} = s.installation_id, true)))))`;

/** Why such an event cannot be sent to subscription `s`, outer-joined, as one of NOT_SENDABLE; null where it can. */
export const notSendable = (type: string, origin: string): string => `CASE WHEN s.id IS NULL THEN 'removed'
  WHEN NOT s.is_active THEN 'deactivated' WHEN NOT ${mayReceive(type, origin)} THEN 'not_allowed' END`;

/**
 * Whether its store or its app keeps subscription `s` from being sent to, with the store `st` and
 * the installation `i` outer-joined.
 */
export const IS_HELD = `(st.status = 'Inactive' OR coalesce(${statusOf('i')} = 'Suspended', false))`;

/** Whether the merchant pauses it too, which loses nothing: what waits for that does not expire. */
export const IS_HELD_OR_PAUSED = `(${IS_HELD} OR s.paused_at IS NOT NULL)`;

/** What keeps subscription `s` from being sent to, as one of HOLDS; null where nothing does. */
export const HOLD = `CASE WHEN st.status = 'Inactive' THEN 'store_inactive' WHEN ${IS_HELD} THEN 'app_suspended'
  WHEN s.paused_at IS NOT NULL THEN 'paused_by_merchant'
  WHEN s.probe_at IS NOT NULL THEN 'paused_after_failures' END`;

export const SUBSCRIPTIONS = `subscriptions s JOIN stores st ON st.id = s.store_id LEFT JOIN installations i
  ON i.store_id = s.store_id AND i.id = s.installation_id`;

/**
 * Whether a worker of any node has the lease on subscription `s` (work-lease.ts). Evaluated once
 * for each statement.
 */
export const IS_SERVED = `hashtextextended('delivery/' || s.id, 0) IN (
  SELECT (l.classid::bigint << 32) | l.objid::bigint FROM pg_locks l WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND l.granted
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;
