import { frozenBodies } from '../../../domain/webhooks/event.ts';
import type { Cause } from '../../../domain/cause.ts';
import type { Clock } from '../../../domain/ports/clock.ts';
import type { EventRepository } from '../../../domain/ports/webhooks/event-repository.ts';
import type { Ids } from '../../../domain/ports/ids.ts';
import type { TransactionSql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import { byStore } from '../../../domain/by-store.ts';

/**
 * An event draws its number in the order of the writes (pending_events.seq) here, when what it is
 * about is locked. clock_timestamp, since the transaction's time is that of its begin: a subscription made while the
 * transaction runs is older than the event.
 */
const appending = (onConflict: string): string => `
  WITH recorded AS (
    INSERT INTO events (id, store_id, type, resource_id, origin_installation_id, request_id, traceparent, body, whole_body, created_at)
    SELECT id, $storeId, type, resource_id, origin, $requestId, $traceparent, body, whole_body, clock_timestamp()
    FROM unnest($ids::uuid[], $types::text[], $resourceIds::text[], $origins::uuid[], $bodies::text[], $wholeBodies::text[])
      AS e(id, type, resource_id, origin, body, whole_body)
    ${onConflict}
    RETURNING id
  )
  INSERT INTO pending_events (store_id, event_id) SELECT $storeId, id FROM recorded`;

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

const APPEND = statement({ text: appending(''), parameters: EVENTS });
/** For ids that a sender chose. To look for each id first costs a thirtieth of a bulk update. */
const APPEND_ONCE = statement({ text: appending('ON CONFLICT (store_id, id) DO NOTHING'), parameters: EVENTS });

export const eventRepository = (
  sql: TransactionSql,
  { clock, ids }: { clock: Clock; ids: Ids },
  cause: Cause,
): EventRepository => ({
  append: (events) => {
    if (events.length === 0) return Promise.resolve([]);
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
      sql.enqueue(isNew ? APPEND : APPEND_ONCE, {
        storeId,
        ids: own.map(({ id }) => id),
        types: own.map(({ event }) => event.type),
        resourceIds: own.map(({ event }) => event.resourceId),
        origins: own.map(({ event }) => event.origin),
        requestId: cause?.requestId ?? null,
        traceparent: cause?.traceparent ?? null,
        bodies: own.map(({ body }) => body),
        wholeBodies: own.map(({ wholeBody }) => wholeBody),
      });
    }
    return Promise.resolve(eventIds);
  },
});
