import { MAX_COUNTED, type RedeliveryRepository } from '../../../../domain/ports/webhooks/redelivery-repository.ts';
import type { Ids } from '../../../../domain/ports/ids.ts';
import type { Database } from '../../connection/database.ts';
import { DAY_SECONDS, endOldest } from '../../connection/purge.ts';
import { HOLDS } from '../../../../domain/webhooks/delivery.ts';
import { NOT_SENDABLE } from '../../../../domain/webhooks/why-not-sendable.ts';
import {
  ADD_REDELIVERY,
  COUNT_REDELIVERIES,
  FINISH_REDELIVERY,
  GET_REDELIVERY,
  LOCK_QUEUED,
  MOMENT,
  OPEN_REDELIVERIES,
  PURGE_REDELIVERIES,
  REACH,
  TAKE_REDELIVERY,
  TO_SEND,
} from './redelivery-statements.ts';
import { shareFanOut } from '../../work/fan-out-lock.ts';
import { sendAgain } from './delivery-replay.ts';
import { searchDeliveries } from '../log/delivery-search.ts';
import { filterOfKept, keptFilter } from './redelivery-filter.ts';

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
