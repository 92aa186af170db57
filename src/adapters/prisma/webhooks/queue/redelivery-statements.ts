import { findOldest, olderThan, removal } from '../../connection/purge.ts';
import { json, oneOf } from '../../connection/sql-types.ts';
import { statement } from '../../connection/statement.ts';
import { HOLD, mayReceive, notSendable } from '../fan-out/delivery-matching.ts';
import { receiver } from './delivery-replay.ts';
import { HOLDS } from '../../../../domain/webhooks/delivery.ts';
import { NOT_SENDABLE } from '../../../../domain/webhooks/why-not-sendable.ts';
import type { KeptFilter } from './redelivery-filter.ts';

/** Found deliveries that did not change after the request and may still be received. */
const WANTED = `d.id = ANY ($ids) AND coalesce(d.updated_at, d.created_at) <= $askedAt::timestamptz
  AND ${mayReceive('e.type', 'e.origin_installation_id')}`;

export const MOMENT = statement({
  text: 'SELECT iso(statement_timestamp()::timestamptz(3)) AS "askedAt" FROM stores WHERE id = $storeId',
  parameters: { storeId: 'uuid' },
  row: { askedAt: 'text' },
});

/** The found deliveries that did not change, by why they cannot be sent, or by what their receiver waits for. */
export const COUNT_REDELIVERIES = statement({
  text: `
    SELECT because AS refused, CASE WHEN because IS NULL THEN hold END AS held, count(*)::int AS n FROM (
      SELECT ${notSendable('e.type', 'e.origin_installation_id')} AS because, ${HOLD} AS hold
      FROM ${receiver('LEFT JOIN')} JOIN stores st ON st.id = $storeId
      WHERE d.id = ANY ($ids) AND coalesce(d.updated_at, d.created_at) <= $askedAt::timestamptz
    ) found GROUP BY 1, 2`,
  parameters: { storeId: 'uuid', ids: 'uuid[]', askedAt: 'timestamptz' },
  row: { refused: oneOf('text?', NOT_SENDABLE), held: oneOf('text?', HOLDS), n: 'int4' },
});

export const ADD_REDELIVERY = statement({
  text: 'INSERT INTO redeliveries (id, store_id, filter, asked_at, total) VALUES ($id, $storeId, $filter, $askedAt, $total)',
  parameters: { id: 'uuid', storeId: 'uuid', filter: 'jsonb', askedAt: 'timestamptz', total: 'int4?' },
});

export const TAKE_REDELIVERY = statement({
  text: `
    SELECT filter, iso(asked_at) AS "askedAt", reached
    FROM redeliveries WHERE store_id = $storeId AND id = $id AND finished_at IS NULL FOR UPDATE SKIP LOCKED`,
  parameters: { storeId: 'uuid', id: 'uuid' },
  row: { filter: json<KeptFilter>('jsonb'), askedAt: 'text', reached: 'uuid?' },
});

export const LOCK_QUEUED = statement({
  text: 'SELECT FROM delivery_queue WHERE store_id = $storeId AND delivery_id = ANY ($ids) ORDER BY delivery_id FOR UPDATE',
  parameters: { storeId: 'uuid', ids: 'uuid[]' },
});

export const TO_SEND = statement({
  text: `SELECT d.id, d.subscription_id AS "subscriptionId" FROM ${receiver('JOIN')} WHERE ${WANTED} ORDER BY d.id FOR UPDATE OF d`,
  parameters: { storeId: 'uuid', ids: 'uuid[]', askedAt: 'timestamptz' },
  row: { id: 'uuid', subscriptionId: 'uuid' },
});

/** Keeps what a batch did. The last one has no place to continue behind. */
export const REACH = statement({
  text: `
    UPDATE redeliveries SET sent = sent + $sent, skipped = skipped + $skipped, reached = coalesce($reached, reached)
    WHERE store_id = $storeId AND id = $id`,
  parameters: { storeId: 'uuid', id: 'uuid', reached: 'uuid?', sent: 'int4', skipped: 'int4' },
});

export const FINISH_REDELIVERY = statement({
  text: 'UPDATE redeliveries SET finished_at = now_ms() WHERE store_id = $storeId AND id = $id',
  parameters: { storeId: 'uuid', id: 'uuid' },
});

export const GET_REDELIVERY = statement({
  text: `
    SELECT id, store_id AS "storeId", (filter->>'installationId')::uuid AS "installationId", total, sent, skipped, iso(asked_at) AS "createdAt", iso(finished_at) AS "finishedAt"
    FROM redeliveries WHERE store_id = $storeId AND id = $id`,
  parameters: { storeId: 'uuid', id: 'uuid' },
  row: {
    id: 'uuid',
    storeId: 'uuid',
    installationId: 'uuid?',
    total: 'int4?',
    sent: 'int4',
    skipped: 'int4',
    createdAt: 'text',
    finishedAt: 'text?',
  },
});

const OLD = olderThan('redeliveries', 'finished_at');
export const PURGE_REDELIVERIES = { find: statement(findOldest(OLD)), end: statement(removal(OLD)) };

export const OPEN_REDELIVERIES = statement({
  text: 'SELECT store_id AS "storeId", id FROM redeliveries WHERE finished_at IS NULL ORDER BY asked_at, id',
  row: { storeId: 'uuid', id: 'uuid' },
});
