import type { SubscriptionRepository } from '../../../domain/ports/subscription-repository.ts';
import { INSTALLATION_STATUSES } from '../../../domain/identity/installation.ts';
import { ALL_SCOPES } from '../../../domain/identity/scope.ts';
import { STORE_STATUSES } from '../../../domain/identity/store.ts';
import { EVENT_TYPES } from '../../../domain/webhooks/event.ts';
import { MAX_SUBSCRIPTIONS, isDeliverable } from '../../../domain/webhooks/subscription.ts';
import type { Subscription } from '../../../domain/webhooks/subscription.ts';
import type { Database } from '../connection/database.ts';
import type { Sql } from '../connection/sql.ts';
import { oneOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import { endQueued } from './delivery-drop.ts';
import { stopWork } from '../work/stop-work.ts';
import type { AnnounceStop } from '../work/stop-work.ts';
import { excludeFanOut } from '../work/fan-out-lock.ts';

/**
 * The owner's subscriptions, or one of them, with what decides whether they are deliverable. A
 * store without such a subscription gives one row in which it is null.
 */
const OWNED = statement({
  text: `
  SELECT s.id, s.url, s.description, s.event_types AS "eventTypes", s.is_active AS "isActive",
    s.signing_secret IS NOT NULL OR EXISTS (SELECT FROM signing_secrets k WHERE k.installation_id = s.installation_id
      AND (k.expires_at IS NULL OR k.expires_at > clock_timestamp())) AS "hasSigningSecret",
    iso(s.created_at) AS "createdAt", iso(s.updated_at) AS "updatedAt", s.installation_id AS "installationId",
    st.status AS "storeStatus", i.status AS "installationStatus", i.scopes, s.probe_at IS NULL AS "breakerClosed"
  FROM stores st
    LEFT JOIN subscriptions s ON s.store_id = st.id AND s.installation_id IS NOT DISTINCT FROM $installationId::uuid
      AND ($id::uuid IS NULL OR s.id = $id)
    LEFT JOIN installations i ON i.id = s.installation_id
  WHERE st.id = $storeId
  ORDER BY s.created_at, s.id`,
  parameters: { storeId: 'uuid', installationId: 'uuid?', id: 'uuid?' },
  row: {
    id: 'uuid?',
    url: 'text',
    description: 'text?',
    eventTypes: oneOf('text[]!', [...EVENT_TYPES, 'app.uninstalled']),
    isActive: 'bool',
    hasSigningSecret: 'bool',
    createdAt: 'text',
    updatedAt: 'text?',
    installationId: 'uuid?',
    storeStatus: oneOf('text', STORE_STATUSES),
    installationStatus: oneOf('text?', INSTALLATION_STATUSES),
    scopes: oneOf('text[]?', ALL_SCOPES),
    breakerClosed: 'bool',
  },
});

type OwnedRow = NonNullable<typeof OWNED.row>;

const LOCK_OWNER = statement({
  text: `
    SELECT FROM installations WHERE id = $installationId AND store_id = $storeId AND status <> 'Uninstalled' FOR NO KEY UPDATE`,
  parameters: { installationId: 'uuid', storeId: 'uuid' },
});

const COUNT = statement({
  text: 'SELECT count(*)::int AS held FROM subscriptions WHERE installation_id = $installationId',
  parameters: { installationId: 'uuid' },
  row: { held: 'int4' },
});

const CREATE = statement({
  text: `
    INSERT INTO subscriptions (id, store_id, installation_id, url, description, event_types, signing_secret, created_at)
    SELECT $id, st.id, $installationId, $url, $description, $eventTypes, $signingSecret, clock_timestamp()
    FROM stores st WHERE st.id = $storeId`,
  parameters: {
    id: 'uuid',
    storeId: 'uuid',
    installationId: 'uuid?',
    url: 'text',
    description: 'text?',
    eventTypes: 'text[]',
    signingSecret: 'text?',
  },
});

const IS_OWNED = statement({
  text: `
    SELECT FROM subscriptions WHERE id = $id AND store_id = $storeId AND installation_id IS NOT DISTINCT FROM $installationId::uuid`,
  parameters: { id: 'uuid', storeId: 'uuid', installationId: 'uuid?' },
});

const DELETE = statement({ text: 'DELETE FROM subscriptions WHERE id = $id', parameters: { id: 'uuid' } });

const subscriptionOf = ({ id, storeStatus, installationStatus, scopes, breakerClosed, ...row }: OwnedRow): Subscription[] => {
  if (id === null) return [];
  const state = { ...row, storeStatus, installationStatus, scopes, breakerClosed };
  return [{ ...row, id, isDeliverable: isDeliverable(state) }];
};

/**
 * Whether the owner may have another subscription; null when there is no such owner. The lock makes
 * creations of one installation, and its uninstall, wait for each other.
 */
const hasCapacity = async (sql: Sql, storeId: string, installationId: string): Promise<boolean | null> => {
  if ((await sql.execute(LOCK_OWNER, { installationId, storeId })) === 0) return null;
  // A separate statement: it sees what the transaction that had the lock before has added.
  const [count] = await sql.rows(COUNT, { installationId });
  return (count?.held ?? 0) < MAX_SUBSCRIPTIONS;
};

export const subscriptionRepository = (database: Database, announce?: AnnounceStop): SubscriptionRepository => ({
  create: ({ id, storeId, installationId, url, description, eventTypes, signingSecret }) =>
    database.transaction(async (sql) => {
      const free = installationId === null ? true : await hasCapacity(sql, storeId, installationId);
      if (free === null) return null;
      if (!free) return 'full';
      await sql.execute(CREATE, { id, storeId, installationId, url, description, eventTypes, signingSecret });
      return (await sql.rows(OWNED, { storeId, installationId, id })).flatMap(subscriptionOf)[0] ?? null;
    }),
  list: async ({ storeId, installationId }) => {
    const rows = await database.rows(OWNED, { storeId, installationId, id: null });
    return rows.length === 0 ? null : rows.flatMap(subscriptionOf);
  },
  delete: ({ storeId, installationId }, id) =>
    database.transaction(async (sql) => {
      const isOwned = (await sql.execute(IS_OWNED, { id, storeId, installationId })) > 0;
      // Only the owner makes its deliveries stop.
      if (!isOwned) return false;
      await stopWork(sql, 'subscription', id, { announce });
      await excludeFanOut(sql, storeId);
      const removed = await sql.execute(DELETE, { id });
      await endQueued(sql, 'Dropped', [id]);
      return removed > 0;
    }),
});
