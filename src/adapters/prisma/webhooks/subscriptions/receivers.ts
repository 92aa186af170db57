import type { EnforcedScope } from '../../../../domain/identity/scope.ts';
import { EVENT_SCOPES, GATHERED_TYPES } from '../../../../domain/webhooks/event.ts';
import { statusOf } from '../../work/installation-status.ts';
import { isOfOneApp } from '../feed/audience.ts';

/** A list of texts in SQL. */
export const listed = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ');

/** A write_ scope includes its read_ scope. */
const accepted = (needed: EnforcedScope): string => `ARRAY[${listed([needed, needed.replace(/^read_/, 'write_')])}]`;

/**
 * The scopes that allow an installation to receive events of the type: it needs one of them. Null for types
 * that no app receives. Only asked for where there is an app.
 */
const acceptedScopes = (type: string): string => {
  const scopes = [...new Set(Object.values(EVENT_SCOPES))];
  const typesOf = (scope: EnforcedScope): string =>
    listed(Object.entries(EVENT_SCOPES).flatMap(([one, needed]) => (needed === scope ? [one] : [])));
  return `CASE ${scopes.map((scope) => `WHEN ${type} IN (${typesOf(scope)}) THEN ${accepted(scope)}`).join(' ')} END`;
};

/**
 * True when subscription `s`, with its installation `i` outer-joined, may receive an event: `e`, or that of the SQL given. A `ping` is for
 * the subscription it was requested for. Events about the data of one app go to that app and to the merchant only. The event address of
 * a platform app receives events about its installations. OFFSET 0: the planner may hash the whole table otherwise.
 */
export const isReceiver = (
  type = 'e.type',
  origin = 'e.origin_installation_id',
  resource = 'e.resource_id',
): string => `(s.is_active
  AND (s.app_id IS NULL OR ${type} = 'ping' OR EXISTS (SELECT FROM (
    SELECT app_id FROM installations WHERE store_id = $storeId AND id = CASE WHEN ${type} ~ '^app[.]' THEN ${resource}::uuid END OFFSET 0) o
    WHERE o.app_id = s.app_id))
  AND (s.installation_id IS NULL
  OR (i.status <> 'Uninstalled' AND (${type} = 'ping' OR i.scopes && ${acceptedScopes(type)})
    AND (NOT ${isOfOneApp(type)} OR coalesce(${origin} = s.installation_id, true)))))`;

/** True when subscription `s` gathers event `e`. */
export const GATHERS = `(s.gather_quiet_seconds IS NOT NULL AND e.resource_id IS NOT NULL AND e.type IN (${listed(GATHERED_TYPES)}))`;

/** The events `e` with the subscriptions `s` that match. `x` is there where a filter keeps the one from the other. */
export const MATCHING = `events e JOIN subscriptions s ON s.store_id = $storeId AND s.created_at <= e.created_at AND e.type = ANY(s.event_types)
      LEFT JOIN installations i ON i.store_id = $storeId AND i.id = s.installation_id
      LEFT JOIN unnest($filteredEvents::uuid[], $filteredFrom::uuid[]) AS x(event_id, subscription_id) ON x.event_id = e.id AND x.subscription_id = s.id
    WHERE e.store_id = $storeId AND e.id = ANY ($eventIds) AND ${isReceiver()}`;

/**
 * Reason why event `e` cannot be sent to subscription `s`, outer-joined, as one of NOT_SENDABLE;
 * null where it can.
 */
export const NOT_SENDABLE_REASON = `CASE WHEN s.id IS NULL THEN 'removed'
  WHEN NOT s.is_active THEN 'deactivated' WHEN NOT ${isReceiver()} THEN 'not_allowed' END`;

/**
 * True while its store or its app keeps subscription `s` from being sent to, with the store `st`
 * and the installation `i` outer-joined.
 */
export const IS_HELD = `(st.status = 'Inactive' OR coalesce(${statusOf('i')} = 'Suspended', false))`;

/** Includes the merchant's pause, which loses nothing: deliveries that wait for its end do not expire. */
export const IS_HELD_OR_PAUSED = `(${IS_HELD} OR s.paused_at IS NOT NULL)`;

/** The reason that blocks subscription `s`, as one of HOLDS; null without one. */
export const HOLD = `CASE WHEN st.status = 'Inactive' THEN 'store_inactive' WHEN ${IS_HELD} THEN 'app_suspended'
  WHEN s.paused_at IS NOT NULL THEN 'paused_by_merchant'
  WHEN s.probe_at IS NOT NULL THEN 'paused_after_failures' END`;

export const SUBSCRIPTIONS = `subscriptions s JOIN stores st ON st.id = s.store_id LEFT JOIN installations i
  ON i.store_id = s.store_id AND i.id = s.installation_id`;

/**
 * True when a worker of any node has the lease on subscription `s` (work-lease.ts). Evaluated once
 * for each statement.
 */
export const IS_SERVED = `hashtextextended('delivery/' || s.id, 0) IN (
  SELECT (l.classid::bigint << 32) | l.objid::bigint FROM pg_locks l WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND l.granted
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;
