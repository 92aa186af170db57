import { byStore } from '../../../../domain/store-key.ts';
import type { Cause } from '../../../../domain/cause.ts';
import type { Clock } from '../../../../domain/ports/clock.ts';
import type { Ids } from '../../../../domain/ports/ids.ts';
import type { EventRepository } from '../../../../domain/ports/webhooks/event-repository.ts';
import { frozenBodies } from '../../../../domain/webhooks/event.ts';
import type { TransactionSql } from '../../connection/sql.ts';
import { statement } from '../../connection/statement.ts';

/**
 * Each statement writes one table of the store, and reads the store: rows that one statement hands from table to table would travel.
 * The time is the statement's, since the transaction's is that of its begin: a subscription made while the
 * transaction runs is older than the event.
 */
const recording = (onConflict: string): string => `
  INSERT INTO events (id, store_id, type, resource_id, origin_installation_id, request_id, traceparent, body, whole_body, created_at)
  SELECT e.id, s.id, e.type, e.resource_id, e.origin, $requestId, $traceparent, e.body, e.whole_body, statement_timestamp()
  FROM stores s CROSS JOIN unnest($ids::uuid[], $types::text[], $resourceIds::text[], $origins::uuid[], $bodies::text[], $wholeBodies::text[])
    AS e(id, type, resource_id, origin, body, whole_body)
  WHERE s.id = $storeId
  ${onConflict}`;

const EVENTS = {
  storeId: 'uuid',
  ids: 'uuid[]',
  types: 'text[]',
  resourceIds: 'text?[]',
  origins: 'uuid?[]',
  requestId: 'uuid?',
  traceparent: 'text?',
  bodies: 'text[]',
  wholeBodies: 'text?[]',
} as const;

const RECORD = statement({ text: recording(''), parameters: EVENTS });
/** For ids that a sender chose. It gives those that are new. To look for each id first costs a thirtieth of a bulk update. */
const RECORD_ONCE = statement({
  text: recording('ON CONFLICT (store_id, id) DO NOTHING RETURNING id'),
  parameters: EVENTS,
  row: { id: 'uuid' },
});
/**
 * An event draws its number in the order of the writes (pending_events.seq) here, when what it is about is locked. On a Citus cluster,
 * a trigger draws it (connection/citus/draw-seq.ts).
 */
const PEND = statement({
  text: `
    INSERT INTO pending_events (store_id, event_id)
    SELECT s.id, e.id FROM stores s CROSS JOIN unnest($ids::uuid[]) AS e(id) WHERE s.id = $storeId`,
  parameters: { storeId: 'uuid', ids: 'uuid[]' },
});

export interface EventOptions {
  readonly clock: Clock;
  readonly ids: Ids;
}

export const eventRepository = (sql: TransactionSql, { clock, ids }: EventOptions, cause: Cause): EventRepository => ({
  append: async (events) => {
    if (events.length === 0) return [];
    const timestamp = new Date(clock.now()).toISOString();
    const eventIds = events.map(({ id }) => id ?? ids.next());
    const rows = events.map((event, index) => {
      const id = eventIds[index] ?? '';
      const { body, wholeBody } = frozenBodies(event, id, timestamp);
      // Not spread: events of many kinds cost 3 us each to copy, 5 % of a bulk update.
      return { storeId: event.storeId, id, event, body, wholeBody };
    });
    const isNew = events.every(({ id }) => id === undefined);
    for (const [storeId, own] of byStore(rows)) {
      const recorded = {
        storeId,
        ids: own.map(({ id }) => id),
        types: own.map(({ event }) => event.type),
        resourceIds: own.map(({ event }) => event.resourceId),
        origins: own.map(({ event }) => event.origin),
        requestId: cause?.requestId ?? null,
        traceparent: cause?.traceparent ?? null,
        bodies: own.map(({ body }) => body),
        wholeBodies: own.map(({ wholeBody }) => wholeBody),
      };
      if (isNew) sql.enqueue(RECORD, recorded);
      const ids = isNew ? recorded.ids : (await sql.rows(RECORD_ONCE, recorded)).map(({ id }) => id);
      sql.enqueue(PEND, { storeId, ids });
    }
    return eventIds;
  },
});
