import { frozenBodies } from '../../../domain/webhooks/event.ts';
import type { Cause } from '../../../domain/cause.ts';
import type { Clock } from '../../../domain/ports/clock.ts';
import type { EventRepository } from '../../../domain/ports/webhooks/event-repository.ts';
import type { Ids } from '../../../domain/ports/ids.ts';
import type { TransactionSql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';

/**
 * An event draws its number in the order of the writes (pending_events.seq) here, when what it is
 * about is locked. clock_timestamp, since the transaction's time is that of its begin: a subscription made while the
 * transaction runs is older than the event.
 */
const appending = (onConflict: string): string => `
  WITH recorded AS (
    INSERT INTO events (id, store_id, type, resource_id, origin_installation_id, request_id, body, whole_body, created_at)
    SELECT id, store_id, type, resource_id, origin, $requestId, body, whole_body, clock_timestamp()
    FROM unnest($ids::uuid[], $storeIds::uuid[], $types::text[], $resourceIds::text[], $origins::uuid[], $bodies::text[], $wholeBodies::text[])
      AS e(id, store_id, type, resource_id, origin, body, whole_body)
    ${onConflict}
    RETURNING store_id, id
  )
  INSERT INTO pending_events (store_id, event_id) SELECT store_id, id FROM recorded`;

const EVENTS = {
  ids: 'uuid[]',
  storeIds: 'uuid[]',
  types: 'text[]',
  resourceIds: 'text?[]',
  origins: 'uuid?[]',
  requestId: 'uuid?',
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
    const frozen = events.map((event, index) => frozenBodies(event, eventIds[index] ?? '', timestamp));
    const isNew = events.every(({ id }) => id === undefined);
    sql.enqueue(isNew ? APPEND : APPEND_ONCE, {
      ids: eventIds,
      storeIds: events.map(({ storeId }) => storeId),
      types: events.map(({ type }) => type),
      resourceIds: events.map(({ resourceId }) => resourceId),
      origins: events.map(({ origin }) => origin),
      requestId: cause?.requestId ?? null,
      bodies: frozen.map(({ body }) => body),
      wholeBodies: frozen.map(({ wholeBody }) => wholeBody),
    });
    return Promise.resolve(eventIds);
  },
});
