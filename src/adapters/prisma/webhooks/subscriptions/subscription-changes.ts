import type { SubscriptionChanges } from '../../../../domain/ports/webhooks/subscription-changes.ts';
import type { WatchedSubscription } from '../../../../domain/ports/webhooks/subscription-repository.ts';
import { contentAfter, type EditedContent, type SubscriptionKey } from '../../../../domain/webhooks/subscription.ts';
import type { Database } from '../../connection/database.ts';
import type { TransactionSql } from '../../connection/sql.ts';
import { statement } from '../../connection/statement.ts';
import { excludeFanOut } from '../../work/fan-out-lock.ts';
import { type AnnounceStop, stopWork } from '../../work/stop-work.ts';
import { endBatch, ENDED_AT_ONCE } from '../queue/ending.ts';
import { isEnding } from '../queue/queue-row.ts';
import { replaceSubscription } from './subscription-replacement.ts';
import { findSubscription } from './subscription-rows.ts';

const KEY = { storeId: 'uuid', subscriptionId: 'uuid' } as const;

/** Each field by itself, so that an edit of one leaves another edit of another as it is. */
const EDIT = statement({
  text: `
    UPDATE subscriptions SET url = coalesce($url, url), event_types = coalesce($eventTypes::text[], event_types),
      description = CASE WHEN $describes THEN $description ELSE description END,
      filter = CASE WHEN $filters THEN $filter ELSE filter END, fields = CASE WHEN $cuts THEN $fields ELSE fields END,
      include = CASE WHEN $includes THEN $include ELSE include END,
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
    includes: 'bool',
    include: 'text[]?',
    orders: 'bool',
    order: 'text?',
    gathers: 'bool',
    quietSeconds: 'int4?',
    maxSeconds: 'int4?',
  },
});

/** Another receiver is tried at once. Before EDIT, which sets its URL. */
const PROBE = statement({
  text: `
    UPDATE subscriptions SET probe_at = now_ms()
    WHERE store_id = $storeId AND id = $subscriptionId AND url <> $url AND probe_at > statement_timestamp()`,
  parameters: { ...KEY, url: 'text?' },
});

const STATE = statement({
  text: `
    SELECT installation_id IS NULL AND app_id IS NULL AS "isMerchants", app_id IS NOT NULL AS "isEventAddress", is_active AS "isActive" FROM subscriptions WHERE store_id = $storeId AND id = $subscriptionId`,
  parameters: KEY,
  row: { isMerchants: 'bool!', isEventAddress: 'bool!', isActive: 'bool' },
});

const PAUSE = statement({
  text: `
    UPDATE subscriptions SET paused_at = statement_timestamp(), updated_at = statement_timestamp()
    WHERE store_id = $storeId AND id = $subscriptionId AND is_active AND paused_at IS NULL`,
  parameters: KEY,
});

const RESUME = statement({
  text: `
    UPDATE subscriptions SET paused_at = NULL, updated_at = statement_timestamp(),
      failing_since = ((failing_since AT TIME ZONE 'UTC') + (statement_timestamp() - greatest(paused_at, failing_since))) AT TIME ZONE 'UTC',
      deactivated_at = CASE WHEN NOT is_active THEN coalesce(deactivated_at, updated_at) END
    WHERE store_id = $storeId AND id = $subscriptionId AND paused_at IS NOT NULL`,
  parameters: KEY,
});

const REACTIVATE = statement({
  text: `
    UPDATE subscriptions SET is_active = true, deactivated_at = NULL, failures = 0, failing_since = NULL, probe_at = NULL,
      updated_at = statement_timestamp()
    WHERE store_id = $storeId AND id = $subscriptionId AND NOT is_active`,
  parameters: KEY,
});

const IS_ENDING = statement({
  text: `SELECT ${isEnding('$storeId', '$subscriptionId')} AS found`,
  parameters: KEY,
  row: { found: 'bool' },
});

/** The value of a field of an edit, and true where the edit gives it. */
const given = <T>(value: T | null | undefined) => ({ isGiven: value !== undefined, value: value ?? null });

/** The fields of an edit that may be removed. */
const optionsOf = (content: EditedContent) => {
  const [description, fields, include] = [given(content.description), given(content.fields), given(content.include)];
  const [filter, order, gather] = [given(content.filter), given(content.order), given(content.gather)];
  return {
    describes: description.isGiven,
    description: description.value,
    filters: filter.isGiven,
    filter: filter.value && JSON.stringify(filter.value),
    cuts: fields.isGiven,
    fields: fields.value,
    includes: include.isGiven,
    include: include.value,
    orders: order.isGiven,
    order: order.value,
    gathers: gather.isGiven,
    quietSeconds: gather.value?.quietSeconds ?? null,
    maxSeconds: gather.value?.maxSeconds ?? null,
  };
};

export const subscriptionUpdates = (database: Database, announce?: AnnounceStop): SubscriptionChanges => {
  /** Makes the change while nothing is sent to the subscription, unless `refuse` refuses it as it is. */
  const change = <Refusal extends string = never>(
    { storeId, subscriptionId }: SubscriptionKey,
    refuse: (state: NonNullable<typeof STATE.row>) => Refusal | null,
    write: (sql: TransactionSql) => Promise<Refusal | null>,
  ): Promise<WatchedSubscription | Refusal | null> =>
    database.transaction(async (sql) => {
      const [state] = await sql.rows(STATE, { storeId, subscriptionId });
      if (!state) return null;
      const refusal = refuse(state);
      if (refusal !== null) return refusal;
      await stopWork(sql, 'subscription', { storeId, id: subscriptionId }, { announce });
      return (await write(sql)) ?? findSubscription(sql, storeId, subscriptionId);
    });
  return {
    replace: replaceSubscription(database, announce),
    edit: (subscription, content, fits = () => true) =>
      change<'of_an_app' | 'unfit'>(
        subscription,
        ({ isMerchants }) => (isMerchants ? null : 'of_an_app'),
        async (sql) => {
          // No other edit comes between either.
          await excludeFanOut(sql, subscription.storeId);
          const before = await findSubscription(sql, subscription.storeId, subscription.subscriptionId);
          if (before && !fits(contentAfter(before, content))) return 'unfit';
          const { url = null, eventTypes = null } = content;
          sql.enqueue(PROBE, { ...subscription, url });
          await sql.execute(EDIT, { ...subscription, url, eventTypes, ...optionsOf(content) });
          return null;
        },
      ),
    pause: (subscription) =>
      change<'deactivated' | 'of_a_platform_app'>(
        subscription,
        ({ isEventAddress }) => (isEventAddress ? 'of_a_platform_app' : null),
        async (sql) => {
          await sql.execute(PAUSE, subscription);
          // The last attempt before the stop may have deactivated the subscription.
          const [state] = await sql.rows(STATE, subscription);
          return state?.isActive === true ? null : 'deactivated';
        },
      ),
    resume: (subscription) =>
      database.transaction(async (sql) => {
        await sql.execute(RESUME, subscription);
        return findSubscription(sql, subscription.storeId, subscription.subscriptionId);
      }),
    reactivate: (subscription) =>
      change<'ending'>(
        subscription,
        () => null,
        async (sql) => {
          const { storeId, subscriptionId } = subscription;
          await excludeFanOut(sql, storeId);
          // An ending ends all that is queued, so nothing may be queued again before it is over.
          await endBatch(sql, storeId, ENDED_AT_ONCE, [subscriptionId]);
          const [ending] = await sql.rows(IS_ENDING, subscription);
          if (ending?.found === true) return 'ending';
          await sql.execute(REACTIVATE, subscription);
          return null;
        },
      ),
  };
};
