import { placedPageOf } from '../../../../domain/page.ts';
import type { SubscriptionRepository } from '../../../../domain/ports/webhooks/subscription-repository.ts';
import { MAX_SUBSCRIPTIONS } from '../../../../domain/webhooks/subscription.ts';
import type { Database } from '../../connection/database.ts';
import { pageValues } from '../../connection/list-page.ts';
import type { Sql } from '../../connection/sql.ts';
import { statement } from '../../connection/statement.ts';
import { excludeFanOut } from '../../work/fan-out-lock.ts';
import { type AnnounceStop, stopWork } from '../../work/stop-work.ts';
import { endQueued } from '../queue/ending.ts';
import {
  addSubscription,
  DELETE,
  findSubscription,
  lockOwner,
  OWNED,
  OWNED_STATE,
  subscriptionOf,
  TROUBLED,
  WATCHED,
  watchedOf,
} from './subscription-rows.ts';

const COUNT = statement({
  text: 'SELECT count(*)::int AS held FROM subscriptions WHERE store_id = $storeId AND installation_id = $installationId',
  parameters: { storeId: 'uuid', installationId: 'uuid' },
  row: { held: 'int4' },
});

/**
 * True when the owner may have another subscription; null without such an owner. The lock makes
 * creations of one installation, and its uninstall, wait for each other.
 */
const hasCapacity = async (sql: Sql, storeId: string, installationId: string): Promise<boolean | null> => {
  if (!(await lockOwner(sql, storeId, installationId))) return null;
  // A separate statement: it sees what the transaction that had the lock before has added.
  const [count] = await sql.rows(COUNT, { storeId, installationId });
  return (count?.held ?? 0) < MAX_SUBSCRIPTIONS;
};

export const subscriptionRepository = (database: Database, announce?: AnnounceStop): SubscriptionRepository => ({
  create: (subscription) =>
    database.transaction(async (sql) => {
      const { id, storeId, installationId, filter, fields, order, gather } = subscription;
      const free = installationId === null ? true : await hasCapacity(sql, storeId, installationId);
      if (free === null) return null;
      if (!free) return 'full';
      // A fan-out decides by the options that it found when it began.
      if ([filter, fields, order, gather].some((option) => option !== null)) await excludeFanOut(sql, storeId);
      await addSubscription(sql, subscription);
      return (await sql.rows(OWNED, { storeId, installationId, id })).flatMap(subscriptionOf)[0] ?? null;
    }),
  list: async ({ storeId, installationId }) => {
    const rows = await database.rows(OWNED, { storeId, installationId, id: null });
    return rows.length === 0 ? null : rows.flatMap(subscriptionOf);
  },
  watch: async (storeId, page, { installationId, q } = {}) => {
    const filter = { storeId, installationId: installationId ?? null, q: q ?? null };
    const rows = await database.rows(WATCHED, { ...filter, ...pageValues(page) });
    const [first] = rows;
    if (!first) return null;
    const found = rows.flatMap(({ total: _, ...row }) => watchedOf(row));
    return placedPageOf(found, page, first.total);
  },
  troubled: async (storeId, take) => {
    const rows = await database.rows(TROUBLED, { storeId, take });
    const all = rows.flatMap(watchedOf);
    if (rows.length === 0) return null;
    return { failing: all.filter(({ isActive }) => isActive), deactivated: all.filter(({ isActive }) => !isActive) };
  },
  delete: ({ storeId, installationId }, id) =>
    database.transaction(async (sql) => {
      const isOwned = (await sql.execute(OWNED_STATE, { id, storeId, installationId })) > 0;
      // Only the owner makes its deliveries stop.
      if (!isOwned) return false;
      await stopWork(sql, 'subscription', { storeId, id }, { announce });
      await excludeFanOut(sql, storeId);
      const removed = await sql.execute(DELETE, { storeId, id });
      await endQueued(sql, storeId, 'Dropped', [id]);
      return removed > 0;
    }),
  find: (storeId, id) => findSubscription(database, storeId, id),
});
