import type { SubscriptionRepository } from '../../../domain/ports/subscription-repository.ts';
import type { InstallationStatus } from '../../../domain/identity/installation.ts';
import type { Scope } from '../../../domain/identity/scope.ts';
import type { StoreStatus } from '../../../domain/identity/store.ts';
import { MAX_SUBSCRIPTIONS, isDeliverable } from '../../../domain/webhooks/subscription.ts';
import type { SubscribableType, Subscription } from '../../../domain/webhooks/subscription.ts';
import type { Database } from '../connection/database.ts';
import type { Sql } from '../connection/sql.ts';
import { endQueued } from './delivery-drop.ts';
import { stopWork } from '../work/stop-work.ts';
import type { AnnounceStop } from '../work/stop-work.ts';
import { excludeFanOut } from '../work/fan-out-lock.ts';

/** `id` is null in the one row of a store that has no subscription of this owner. */
interface Row extends Omit<Subscription, 'id' | 'eventTypes' | 'isDeliverable'> {
  id: string | null;
  eventTypes: SubscribableType[];
  storeStatus: StoreStatus;
  installationStatus: InstallationStatus | null;
  scopes: Scope[] | null;
  breakerClosed: boolean;
}

/**
 * The owner's subscriptions with the columns that decide whether they are deliverable. $3 selects
 * one.
 */
const OWNED = `
  SELECT s.id, s.url, s.description, s.event_types AS "eventTypes", s.is_active AS "isActive",
    s.signing_secret IS NOT NULL OR EXISTS (SELECT FROM signing_secrets k WHERE k.installation_id = s.installation_id
      AND (k.expires_at IS NULL OR k.expires_at > clock_timestamp())) AS "hasSigningSecret",
    iso(s.created_at) AS "createdAt", iso(s.updated_at) AS "updatedAt", s.installation_id AS "installationId",
    st.status AS "storeStatus", i.status AS "installationStatus", i.scopes, s.probe_at IS NULL AS "breakerClosed"
  FROM stores st
    LEFT JOIN subscriptions s ON s.store_id = st.id AND s.installation_id IS NOT DISTINCT FROM $2::uuid AND ($3::uuid IS NULL OR s.id = $3)
    LEFT JOIN installations i ON i.id = s.installation_id
  WHERE st.id = $1
  ORDER BY s.created_at, s.id`;

const subscriptionOf = ({ id, storeStatus, installationStatus, scopes, breakerClosed, ...row }: Row): Subscription[] => {
  if (id === null) return [];
  const state = { ...row, storeStatus, installationStatus, scopes, breakerClosed };
  return [{ ...row, id, isDeliverable: isDeliverable(state) }];
};

/**
 * Whether the owner may have another subscription. The lock makes creations of one installation,
 * and its uninstall, wait for each other.
 */
const hasCapacity = async (sql: Sql, storeId: string, installationId: string): Promise<boolean | null> => {
  const owner = await sql.query(
    "SELECT 1 FROM installations WHERE id = $1 AND store_id = $2 AND status <> 'Uninstalled' FOR NO KEY UPDATE",
    [installationId, storeId],
  );
  if (owner.length === 0) return null;
  // A separate statement: it sees what the previous owner of the lock has added.
  const [count] = await sql.query<{ held: number }>(
    'SELECT count(*)::int AS held FROM subscriptions WHERE installation_id = $1',
    [installationId],
  );
  return (count?.held ?? 0) < MAX_SUBSCRIPTIONS;
};

export const subscriptionRepository = (database: Database, announce?: AnnounceStop): SubscriptionRepository => ({
  create: ({ id, storeId, installationId, url, description, eventTypes, signingSecret }) =>
    database.transaction(async (sql) => {
      const free = installationId === null ? true : await hasCapacity(sql, storeId, installationId);
      if (free === null) return null;
      if (!free) return 'full';
      await sql.query(
        `INSERT INTO subscriptions (id, store_id, installation_id, url, description, event_types, signing_secret, created_at)
         SELECT $1, st.id, $3, $4, $5, $6, $7, clock_timestamp() FROM stores st WHERE st.id = $2`,
        [id, storeId, installationId, url, description, eventTypes, signingSecret],
      );
      const rows = await sql.query<Row>(OWNED, [storeId, installationId, id]);
      return rows.flatMap(subscriptionOf)[0] ?? null;
    }),
  list: async ({ storeId, installationId }) => {
    const rows = await database.query<Row>(OWNED, [storeId, installationId, null]);
    return rows.length === 0 ? null : rows.flatMap(subscriptionOf);
  },
  delete: ({ storeId, installationId }, id) =>
    database.transaction(async (sql) => {
      const owned = await sql.query(
        'SELECT FROM subscriptions WHERE id = $3 AND store_id = $1 AND installation_id IS NOT DISTINCT FROM $2::uuid',
        [storeId, installationId, id],
      );
      // No client can stop the deliveries of another.
      if (owned.length === 0) return false;
      await stopWork(sql, 'subscription', id, { announce });
      await excludeFanOut(sql, storeId);
      const removed = await sql.query('DELETE FROM subscriptions WHERE id = $1 RETURNING 1', [id]);
      await endQueued(sql, 'Dropped', [id]);
      return removed.length > 0;
    }),
});
