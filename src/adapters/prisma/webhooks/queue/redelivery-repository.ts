import type { Ids } from '../../../../domain/ports/ids.ts';
import type { DeliveryFilter } from '../../../../domain/ports/webhooks/delivery-log.ts';
import { MAX_COUNTED, type RedeliveryRepository } from '../../../../domain/ports/webhooks/redelivery-repository.ts';
import {
  DELIVERY_STATUSES,
  type DeliveryStatus,
  HOLDS,
  isQueued,
  QUEUED_STATUSES,
} from '../../../../domain/webhooks/delivery.ts';
import { NOT_SENDABLE } from '../../../../domain/webhooks/why-not-sendable.ts';
import type { Database } from '../../connection/database.ts';
import { DAY_SECONDS, endOldest, findOldest, olderThan, removal } from '../../connection/purge.ts';
import { json, oneOf } from '../../connection/sql-types.ts';
import { statement } from '../../connection/statement.ts';
import { shareFanOut } from '../../work/fan-out-lock.ts';
import { searchDeliveries } from '../log/delivery-search.ts';
import { HOLD, isReceiver, NOT_SENDABLE_REASON } from '../subscriptions/receivers.ts';
import { LOCK_QUEUED, receiver, sendAgain } from './replay.ts';

/**
 * Statuses of the previous version for a delivery that has not ended. Its processes may run beside
 * this one.
 */
const OLDER_QUEUED = ['Pending', 'Delivering', 'Held'] as const;

type KeptFilter = Omit<DeliveryFilter, 'statuses'> & {
  readonly statuses?: readonly (DeliveryStatus | (typeof OLDER_QUEUED)[number])[] | undefined;
};

const isKnown = (status: string): status is DeliveryStatus => (DELIVERY_STATUSES as readonly string[]).includes(status);

/** Both names of what has not ended: a process of the version before knows only its own, and takes more rather than nothing. */
export const keptFilter = ({ waitingBecause, statuses, ...filter }: DeliveryFilter): KeptFilter => {
  const wanted = statuses ?? (waitingBecause === undefined ? undefined : (['Waiting'] as const));
  return { ...filter, waitingBecause, statuses: wanted?.some(isQueued) === true ? [...wanted, ...OLDER_QUEUED] : wanted };
};

/** The filter in the words of this version. Older words count where no other word is for what has not ended. */
export const filterOfKept = ({ statuses, ...filter }: KeptFilter): DeliveryFilter => {
  if (statuses === undefined) return filter;
  const known = statuses.filter(isKnown);
  const isOlder = known.length < statuses.length && !known.some(isQueued);
  return { ...filter, statuses: isOlder ? [...known, ...QUEUED_STATUSES] : known };
};

/** Found deliveries that did not change after the request and may still be received. */
const WANTED = `d.id = ANY ($ids) AND coalesce(d.updated_at, d.created_at) <= $askedAt::timestamptz
  AND ${isReceiver()}`;

const MOMENT = statement({
  text: 'SELECT iso(statement_timestamp()::timestamptz(3)) AS "askedAt" FROM stores WHERE id = $storeId',
  parameters: { storeId: 'uuid' },
  row: { askedAt: 'text' },
});

/** The found deliveries that did not change, by why they cannot be sent, or by what their receiver waits for. */
const COUNT_REDELIVERIES = statement({
  text: `
    SELECT because AS refused, CASE WHEN because IS NULL THEN hold END AS held, count(*)::int AS n FROM (
      SELECT ${NOT_SENDABLE_REASON} AS because, ${HOLD} AS hold
      FROM ${receiver('LEFT JOIN')} JOIN stores st ON st.id = $storeId
      WHERE d.id = ANY ($ids) AND coalesce(d.updated_at, d.created_at) <= $askedAt::timestamptz
    ) found GROUP BY 1, 2`,
  parameters: { storeId: 'uuid', ids: 'uuid[]', askedAt: 'timestamptz' },
  row: { refused: oneOf('text?', NOT_SENDABLE), held: oneOf('text?', HOLDS), n: 'int4' },
});

const ADD_REDELIVERY = statement({
  text: 'INSERT INTO redeliveries (id, store_id, filter, asked_at, total) VALUES ($id, $storeId, $filter, $askedAt, $total)',
  parameters: { id: 'uuid', storeId: 'uuid', filter: 'jsonb', askedAt: 'timestamptz', total: 'int4?' },
});

const TAKE_REDELIVERY = statement({
  text: `
    SELECT filter, iso(asked_at) AS "askedAt", reached
    FROM redeliveries WHERE store_id = $storeId AND id = $id AND finished_at IS NULL FOR UPDATE SKIP LOCKED`,
  parameters: { storeId: 'uuid', id: 'uuid' },
  row: { filter: json<KeptFilter>('jsonb'), askedAt: 'text', reached: 'uuid?' },
});

const TO_SEND = statement({
  text: `SELECT d.id, d.subscription_id AS "subscriptionId" FROM ${receiver('JOIN')} WHERE ${WANTED} ORDER BY d.id FOR UPDATE OF d`,
  parameters: { storeId: 'uuid', ids: 'uuid[]', askedAt: 'timestamptz' },
  row: { id: 'uuid', subscriptionId: 'uuid' },
});

/** Keeps what a batch did. The last one has no place to continue behind. */
const REACH = statement({
  text: `
    UPDATE redeliveries SET sent = sent + $sent, skipped = skipped + $skipped, reached = coalesce($reached, reached)
    WHERE store_id = $storeId AND id = $id`,
  parameters: { storeId: 'uuid', id: 'uuid', reached: 'uuid?', sent: 'int4', skipped: 'int4' },
});

const FINISH_REDELIVERY = statement({
  text: 'UPDATE redeliveries SET finished_at = now_ms() WHERE store_id = $storeId AND id = $id',
  parameters: { storeId: 'uuid', id: 'uuid' },
});

const GET_REDELIVERY = statement({
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
const PURGE_REDELIVERIES = { find: statement(findOldest(OLD)), end: statement(removal(OLD)) };

const OPEN_REDELIVERIES = statement({
  text: 'SELECT store_id AS "storeId", id FROM redeliveries WHERE finished_at IS NULL ORDER BY asked_at, id',
  row: { storeId: 'uuid', id: 'uuid' },
});

const COUNTED_AT_ONCE = 1_000;

type Counted = NonNullable<(typeof COUNT_REDELIVERIES)['row']>;

const sum = (counts: readonly Counted[]): number => counts.reduce((total, { n }) => total + n, 0);

const by = <R extends string>(reasons: readonly R[], counts: readonly Counted[], of: (one: Counted) => R | null) =>
  reasons.flatMap((reason) => {
    const count = sum(counts.filter((one) => of(one) === reason));
    return count === 0 ? [] : [{ reason, count }];
  });

const sumsOf = (counts: readonly Counted[]) => ({
  deliveries: sum(counts.filter(({ refused }) => refused === null)),
  held: by(HOLDS, counts, ({ held }) => held),
  refused: by(NOT_SENDABLE, counts, ({ refused }) => refused),
});

export const redeliveryRepository = (database: Database, { ids }: { readonly ids: Ids }): RedeliveryRepository => ({
  count: async (storeId, filter) => {
    const [moment] = await database.rows(MOMENT, { storeId });
    if (!moment) return null;
    const counts: Counted[] = [];
    let matching = 0;
    let read = 0;
    let after: string | null = null;
    for (;;) {
      const page: { readonly after: string | null; readonly take: number } = { after, take: COUNTED_AT_ONCE };
      const { items, next, searched } = await database.transaction((sql) => searchDeliveries(sql, storeId, filter, page), {
        planEachTime: true,
      });
      counts.push(...(await database.rows(COUNT_REDELIVERIES, { storeId, ids: items.map(({ id }) => id), ...moment })));
      matching += items.length;
      read += searched;
      if (next === null || read >= MAX_COUNTED) return { ...sumsOf(counts), matching, isComplete: next === null, ...moment };
      after = next;
    }
  },
  add: async (storeId, filter, request) => {
    const id = ids.next();
    await database.execute(ADD_REDELIVERY, { id, storeId, filter: JSON.stringify(keptFilter(filter)), ...request });
    return id;
  },
  next: (storeId, id, limit) =>
    database.transaction(
      async (sql) => {
        const [request] = await sql.rows(TAKE_REDELIVERY, { storeId, id });
        if (!request) return null;
        const { filter, askedAt, reached } = request;
        // Removals wait, so that what one takes away is not put back.
        await shareFanOut(sql, storeId);
        const { items, next } = await searchDeliveries(sql, storeId, filterOfKept(filter), { after: reached, take: limit });
        const found = items.map((item) => item.id);
        // In the order in which a settlement locks the two.
        await sql.execute(LOCK_QUEUED, { storeId, ids: found });
        const sent = await sql.rows(TO_SEND, { storeId, ids: found, askedAt });
        sendAgain(
          sql,
          storeId,
          sent.map((row) => row.id),
        );
        sql.enqueue(REACH, { storeId, id, reached: next, sent: sent.length, skipped: found.length - sent.length });
        if (next === null) sql.enqueue(FINISH_REDELIVERY, { storeId, id });
        const subscriptionIds = [...new Set(sent.map(({ subscriptionId }) => subscriptionId))];
        return { deliveries: sent.length, subscriptionIds, isLast: next === null };
      },
      { planEachTime: true },
    ),
  get: async (storeId, id) => (await database.rows(GET_REDELIVERY, { storeId, id }))[0] ?? null,
  open: () => database.rows(OPEN_REDELIVERIES),
  purge: (days, limit) => endOldest(database, PURGE_REDELIVERIES, days * DAY_SECONDS, limit),
});
