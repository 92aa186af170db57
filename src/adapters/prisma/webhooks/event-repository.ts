import { frozenBodies } from '../../../domain/webhooks/event.ts';
import type { Clock } from '../../../domain/ports/clock.ts';
import type { EventRepository } from '../../../domain/ports/event-repository.ts';
import type { Ids } from '../../../domain/ports/ids.ts';
import type { TransactionSql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';

/**
 * An event draws its number in the order of the writes (pending_events.seq) here, when what it is
 * about is locked. clock_timestamp, since the transaction's time is that of its begin: a subscription made while the
 * transaction runs is older than the event.
 */
const APPEND = statement({
  text: `
  WITH recorded AS (
    INSERT INTO events (id, store_id, type, resource_id, origin_installation_id, request_id, body, whole_body, created_at)
    SELECT id, store_id, type, resource_id, origin, $requestId, body, whole_body, clock_timestamp()
    FROM unnest($ids::uuid[], $storeIds::uuid[], $types::text[], $resourceIds::text[], $origins::uuid[], $bodies::text[], $wholeBodies::text[])
      AS e(id, store_id, type, resource_id, origin, body, whole_body)
    ON CONFLICT (store_id, id) DO NOTHING
    RETURNING store_id, id
  )
  INSERT INTO pending_events (store_id, event_id) SELECT store_id, id FROM recorded`,
  parameters: {
    ids: 'uuid[]',
    storeIds: 'uuid[]',
    types: 'text[]',
    resourceIds: 'text?[]',
    origins: 'uuid?[]',
    requestId: 'uuid?',
    bodies: 'text[]',
    wholeBodies: 'text?[]',
  },
});

export const eventRepository = (sql: TransactionSql, { clock, ids }: { clock: Clock; ids: Ids }): EventRepository => ({
  append: (events, requestId = null) => {
    if (events.length === 0) return Promise.resolve([]);
    const timestamp = new Date(clock.now()).toISOString();
    const rows = events.map((event) => {
      const id = event.id ?? ids.next();
      return { ...event, id, ...frozenBodies(event, id, timestamp) };
    });
    sql.enqueue(APPEND, {
      ids: rows.map((row) => row.id),
      storeIds: rows.map((row) => row.storeId),
      types: rows.map((row) => row.type),
      resourceIds: rows.map((row) => row.resourceId),
      origins: rows.map((row) => row.origin),
      requestId,
      bodies: rows.map((row) => row.body),
      wholeBodies: rows.map((row) => row.wholeBody),
    });
    return Promise.resolve(rows.map((row) => row.id));
  },
});
