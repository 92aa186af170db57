import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

import type { World } from '../world.ts';
import type { Shop } from './shop.ts';

const APPEND = `
  WITH recorded AS (
    INSERT INTO events (id, store_id, type, resource_id, body, created_at)
    VALUES ($1::uuid, $2::uuid, 'order.created', $1::text, $3, clock_timestamp()) RETURNING store_id, id
  )
  INSERT INTO pending_events (store_id, event_id) SELECT store_id, id FROM recorded`;

/**
 * Transactions that write an event and end seconds later, past every proxy: half of them by a
 * rollback. A server that crashes ends them too. What they commit was written long before events
 * that readers have passed.
 */
export const slowWrites = async (world: World, databaseUrl: string, shops: readonly Shop[]): Promise<void> => {
  const { random, clock } = world;
  while (!clock.isOver()) {
    const { storeId } = random.pick(shops);
    const id = randomUUID();
    const body = JSON.stringify({ id, type: 'order.created', timestamp: new Date().toISOString(), storeId, data: { id } });
    const client = new pg.Client({ connectionString: databaseUrl });
    // A crash of the server is one of the faults: the transaction ends with it.
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('BEGIN');
      await client.query(APPEND, [id, storeId, body]);
      await pause(random.between(100, 2_000));
      await client.query(random.chance(0.5) ? 'COMMIT' : 'ROLLBACK');
    } catch {
      await pause(100);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
};
