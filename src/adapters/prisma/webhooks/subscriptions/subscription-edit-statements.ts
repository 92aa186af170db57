import { statement } from '../../connection/statement.ts';

const KEY = { storeId: 'uuid', subscriptionId: 'uuid' } as const;

/** Each field by itself, so that an edit of one leaves another edit of another as it is. */
export const EDIT = statement({
  text: `
    UPDATE subscriptions SET url = coalesce($url, url), event_types = coalesce($eventTypes::text[], event_types),
      description = CASE WHEN $describes THEN $description ELSE description END,
      filter = CASE WHEN $filters THEN $filter ELSE filter END, fields = CASE WHEN $cuts THEN $fields ELSE fields END,
      ordered_by = CASE WHEN $orders THEN $order ELSE ordered_by END,
      gather_quiet_seconds = CASE WHEN $gathers THEN $quietSeconds ELSE gather_quiet_seconds END,
      gather_max_seconds = CASE WHEN $gathers THEN $maxSeconds ELSE gather_max_seconds END,
      deactivated_at = CASE WHEN NOT is_active THEN coalesce(deactivated_at, updated_at) END,
      updated_at = statement_timestamp()
    WHERE store_id = $storeId AND id = $subscriptionId`,
  parameters: {
    ...KEY,
    url: 'text?',
    eventTypes: 'text[]?',
    describes: 'bool',
    description: 'text?',
    filters: 'bool',
    filter: 'json?',
    cuts: 'bool',
    fields: 'text[]?',
    orders: 'bool',
    order: 'text?',
    gathers: 'bool',
    quietSeconds: 'int4?',
    maxSeconds: 'int4?',
  },
});

/** Another receiver is tried at once. Before EDIT, which sets its URL. */
export const PROBE = statement({
  text: `
    UPDATE subscriptions SET probe_at = now_ms()
    WHERE store_id = $storeId AND id = $subscriptionId AND url <> $url AND probe_at > statement_timestamp()`,
  parameters: { ...KEY, url: 'text?' },
});
