import { manualClock } from '../../memory/clock.ts';
import { sequentialIds } from '../../memory/ids.ts';
import { BEGIN_RESTORED_EPOCH } from '../../../src/adapters/prisma/connection/epochs.ts';
import { analyseGrown } from '../../../src/adapters/prisma/connection/growing-tables.ts';
import { compileStatement } from '../../../src/adapters/prisma/connection/statement.ts';
import { VIOLATIONS } from './violations.ts';
import { createWorkLeases } from '../../../src/adapters/prisma/work/work-lease.ts';
import { createPrismaPorts } from '../../../src/adapters/prisma/ports.ts';
import { openTestDatabase } from '../../support/postgres.ts';
import type { DeliveryWorld } from '../delivery-worlds.ts';
import { moveBack } from './move-back.ts';
import { onOwnSession } from '../../support/own-session.ts';

/** A hundred years. */
const FAR_SECONDS = 36_525 * 86_400;

const BACK: Record<string, readonly string[]> = {
  installations: ['created_at'],
  events: ['created_at'],
  feed: ['placed_at'],
  subscriptions: ['created_at', 'updated_at', 'failing_since', 'probe_at', 'paused_at', 'deactivated_at'],
  deliveries: ['next_attempt_at', 'created_at', 'updated_at'],
  redeliveries: ['asked_at', 'finished_at'],
  delivery_queue: ['due_at'],
  request_log: ['at'],
  delivery_figures: ['at'],
  refusal_figures: ['at'],
  call_figures: ['at'],
  media_imports: ['created_at', 'ended_at'],
  product_imports: ['started_at', 'seen_at', 'ended_at'],
  incidents: ['began_at', 'ended_at', 'seen_at'],
  processes: ['started_at', 'seen_at', 'ended_at'],
  incident_notices: ['created_at', 'next_at', 'taken_at', 'sent_at'],
};

export const postgresqlDeliveryWorld = async (): Promise<DeliveryWorld> => {
  const database = await openTestDatabase();
  const leases = onOwnSession(database.url, (session) => createWorkLeases({ session, sql: database }));
  const ids = sequentialIds();
  // Here, a transaction that holds a key takes too long at once.
  const options = { idempotencyTtlSeconds: 60, longestRequestSeconds: 0 };
  const ports = createPrismaPorts(database, { clock: manualClock(), ids, ...options });
  /** Holds what a test leaves in progress. */
  const holder = await database.pool.connect();
  return {
    ports,
    ids,
    leases,
    pass: async (seconds) => {
      for (const [name, columns] of Object.entries(BACK)) {
        // First far away: a time may be part of a key, and rows must not meet on their way.
        await moveBack(database, name, columns, seconds - FAR_SECONDS);
        await moveBack(database, name, columns, FAR_SECONDS);
      }
      // A delivery's id tells its time.
      await database.query(
        `WITH moved AS (SELECT id, uuid7(created_at) AS next FROM deliveries WHERE $1::float >= 86400),
           log AS (UPDATE delivery_attempts a SET delivery_id = moved.next FROM moved WHERE a.delivery_id = moved.id),
           gathered AS (UPDATE gathered_events g SET delivery_id = moved.next FROM moved WHERE g.delivery_id = moved.id),
           queue AS (UPDATE delivery_queue q SET delivery_id = moved.next FROM moved WHERE q.delivery_id = moved.id)
         UPDATE deliveries d SET id = moved.next FROM moved WHERE d.id = moved.id`,
        [seconds],
      );
    },
    tend: async () => void (await analyseGrown(database)),
    now: async () => Number((await database.query<{ now: Date }>('SELECT clock_timestamp() AS now'))[0]?.now),
    setStore: async (id, status) => {
      await database.query('UPDATE stores SET status = $2 WHERE id = $1', [id, status]);
    },
    setApp: async (id, { status, scopes }) => {
      await database.query(
        `UPDATE installations SET status = coalesce($2::text, status), scopes = coalesce($3, scopes),
           uninstalled_at = $4 WHERE id = $1`,
        [id, status ?? null, scopes ?? null, status === 'Uninstalled' ? new Date() : null],
      );
    },
    removeSubscription: async (id) => {
      await database.query('DELETE FROM subscriptions WHERE id = $1', [id]);
      await database.query(`UPDATE deliveries SET status = 'Dropped', next_attempt_at = NULL WHERE subscription_id = $1`, [id]);
      await database.query('DELETE FROM delivery_queue WHERE subscription_id = $1', [id]);
    },
    copyDelivery: async (id, count) => {
      await database.query(
        `INSERT INTO deliveries (id, store_id, event_id, subscription_id, installation_id, status, attempts, created_at, error)
         SELECT uuid7(created_at + make_interval(secs => 1)), store_id, event_id, gen_random_uuid(), installation_id, status, attempts, created_at, error
         FROM deliveries, generate_series(1, $2::int) WHERE id = $1`,
        [id, count],
      );
    },
    copyEvent: async (storeId, id, count) => {
      await database.query(
        `WITH copied AS (
           INSERT INTO events (id, store_id, type, resource_id, body, created_at)
           SELECT gen_random_uuid(), store_id, type, resource_id, body, created_at
           FROM events, generate_series(1, $3::int) WHERE store_id = $1 AND id = $2 RETURNING id, type
         ), placed AS (
           INSERT INTO feed (store_id, position, event_id, placed_at, audience)
           SELECT $1, h.head + row_number() OVER (), c.id, now(), c.type FROM copied c, feed_heads h WHERE h.store_id = $1
         )
         UPDATE feed_heads SET head = head + $3::int WHERE store_id = $1`,
        [storeId, id, count],
      );
    },
    beginEpoch: async () => {
      await database.execute(BEGIN_RESTORED_EPOCH);
    },
    loseAfter: async (storeId, head) => {
      await database.query('DELETE FROM feed WHERE store_id = $1 AND position > $2', [storeId, head]);
      await database.query('UPDATE feed_heads SET head = $2 WHERE store_id = $1', [storeId, head]);
      await database.query('DELETE FROM feed_epochs WHERE store_id = $1 AND began >= $2', [storeId, head]);
    },
    violate: async (name, storeId) => {
      for (const text of VIOLATIONS[name]) await database.query(text, [storeId]);
      if (name !== 'keys_have_runners') return;
      await holder.query(
        `BEGIN; SELECT FROM idempotency_records WHERE store_id = '${storeId}' FOR UPDATE; SELECT FROM merchant_keys WHERE store_id = '${storeId}' FOR UPDATE`,
      );
    },
    whileSlow: (work) =>
      database.transaction(async (sql) => {
        await sql.execute(compileStatement({ text: 'LOCK TABLE feed, events IN ACCESS EXCLUSIVE MODE' }));
        return work(ports);
      }),
    events: async () => (await database.query('SELECT FROM events')).length,
    attempts: async () => (await database.query('SELECT FROM delivery_attempts')).length,
    close: async () => {
      await holder.query('ROLLBACK');
      holder.release();
      await leases.close();
      await database.close();
    },
  };
};
