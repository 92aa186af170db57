import { LIFE_EVENT_TYPES } from '../../../domain/webhooks/event.ts';
import type { Database } from '../connection/database.ts';
import type { Sql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import { endQueued } from '../webhooks/queue/ending.ts';
import { excludeFanOut } from '../work/fan-out-lock.ts';
import { stopWork, type AnnounceStop } from '../work/stop-work.ts';

/** The event address of an app is a subscription on each store that has installed it. It stays when the app is uninstalled. */
const TYPES = `'{${LIFE_EVENT_TYPES.join(',')}}'::text[]`;
const INTO = 'INSERT INTO subscriptions (id, store_id, app_id, url, event_types, created_at)';
const UNLESS_THERE = 'ON CONFLICT (app_id, store_id) WHERE app_id IS NOT NULL DO NOTHING';

export const ADD_EVENT_ADDRESS = statement({
  text: `${INTO} VALUES (uuid7(now_ms()), $storeId, $appId, $url, ${TYPES}, clock_timestamp()) ${UNLESS_THERE}`,
  parameters: { storeId: 'uuid', appId: 'uuid', url: 'text' },
});

/** Also where the app is uninstalled by now: what waits there goes to the new one. */
const MOVE = statement({
  text: `
    UPDATE subscriptions SET url = $url, updated_at = statement_timestamp(),
      probe_at = CASE WHEN probe_at > present.time THEN present.time ELSE probe_at END,
      deactivated_at = CASE WHEN NOT is_active THEN coalesce(deactivated_at, updated_at) END
    FROM (SELECT now_ms() AS time) present WHERE app_id = $id AND url <> $url`,
  parameters: { id: 'uuid', url: 'text' },
});

const ADD_MISSING = statement({
  text: `${INTO}
    SELECT uuid7(now_ms()), store_id, app_id, $url, ${TYPES}, clock_timestamp() FROM installations WHERE app_id = $id AND status <> 'Uninstalled'
    ${UNLESS_THERE}`,
  parameters: { id: 'uuid', url: 'text' },
});

const LIST = statement({
  text: `
    SELECT store_id AS "storeId", id AS "subscriptionId" FROM subscriptions
    WHERE app_id = $id AND NOT (is_active AND $areInactive) ORDER BY store_id`,
  parameters: { id: 'uuid', areInactive: 'bool' },
  row: { storeId: 'uuid', subscriptionId: 'uuid' },
});

/**
 * Locked before the leases of the store: what gives the app an address locks this row first, too, and
 * comes wholly before or wholly after the removal on one store.
 */
const LACKS_ADDRESS = statement({
  text: 'SELECT FROM platform_apps WHERE id = $id AND event_url IS NULL FOR SHARE',
  parameters: { id: 'uuid' },
});

const DELETE = statement({
  text: 'DELETE FROM subscriptions WHERE store_id = $storeId AND id = $subscriptionId',
  parameters: { storeId: 'uuid', subscriptionId: 'uuid' },
});

export const moveEventAddresses = async (sql: Sql, id: string, url: string): Promise<void> => {
  await sql.execute(MOVE, { id, url });
  await sql.execute(ADD_MISSING, { id, url });
};

export const inactiveEventAddresses = (sql: Sql, id: string) => sql.rows(LIST, { id, areInactive: true });

/** Store by store, until the app has an address again. What is interrupted leaves the rest to its repetition. */
export const removeEventAddresses = async (database: Database, id: string, announce?: AnnounceStop): Promise<void> => {
  for (const subscription of await database.rows(LIST, { id, areInactive: false })) {
    const lacksAddress = await database.transaction(async (sql) => {
      if ((await sql.execute(LACKS_ADDRESS, { id })) === 0) return false;
      const { storeId, subscriptionId } = subscription;
      await stopWork(sql, 'subscription', { storeId, id: subscriptionId }, { announce });
      await excludeFanOut(sql, storeId);
      await sql.execute(DELETE, subscription);
      await endQueued(sql, storeId, 'Dropped', [subscriptionId]);
      return true;
    });
    if (!lacksAddress) return;
  }
};
