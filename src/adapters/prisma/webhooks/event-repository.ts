import { frozenBody } from '../../../domain/webhooks/event.ts';
import type { Clock } from '../../../domain/ports/clock.ts';
import type { EventRepository } from '../../../domain/ports/event-repository.ts';
import type { Ids } from '../../../domain/ports/ids.ts';
import type { TransactionSql } from '../connection/sql.ts';
import { textArray } from '../connection/text-array.ts';

// clock_timestamp, not the transaction's time: a subscription that was created while the
// transaction ran must be older than its event.
const APPEND = `
  WITH recorded AS (
    INSERT INTO events (id, store_id, type, resource_id, origin_installation_id, body, created_at)
    SELECT id, store_id, type, resource_id, origin, body, clock_timestamp()
    FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::text[])
      AS e(id, store_id, type, resource_id, origin, body)
    ON CONFLICT (store_id, id) DO NOTHING
    RETURNING store_id, id
  )
  INSERT INTO pending_events (store_id, event_id) SELECT store_id, id FROM recorded`;

export const eventRepository = (sql: TransactionSql, { clock, ids }: { clock: Clock; ids: Ids }): EventRepository => ({
  append: async (events) => {
    if (events.length === 0) return [];
    const timestamp = new Date(clock.now()).toISOString();
    const rows = events.map((event) => {
      const id = event.id ?? ids.next();
      return { ...event, id, body: frozenBody(event, id, timestamp) };
    });
    await sql.send(APPEND, [
      rows.map((row) => row.id),
      rows.map((row) => row.storeId),
      rows.map((row) => row.type),
      rows.map((row) => row.resourceId),
      rows.map((row) => row.origin),
      textArray(rows.map((row) => row.body)),
    ]);
    return rows.map((row) => row.id);
  },
});
