import { MAX_COUNTED, type RedeliveryRepository } from '../../../domain/ports/webhooks/redelivery-repository.ts';
import type { Ids } from '../../../domain/ports/ids.ts';
import type { Database } from '../connection/database.ts';
import { ADD, COUNT, GET, LOCK_QUEUED, MOMENT, OPEN, PURGE, REACH, REDELIVER, TAKE } from './redelivery-statements.ts';
import { shareFanOut } from '../work/fan-out-lock.ts';
import { searchDeliveries } from './delivery-search.ts';

const COUNTED_AT_ONCE = 1_000;

export const redeliveryRepository = (database: Database, { ids }: { readonly ids: Ids }): RedeliveryRepository => ({
  count: async (storeId, filter) => {
    const [moment] = await database.rows(MOMENT, { storeId });
    if (!moment) return null;
    let deliveries = 0;
    let matching = 0;
    let read = 0;
    let after: string | null = null;
    for (;;) {
      const page: { readonly after: string | null; readonly take: number } = { after, take: COUNTED_AT_ONCE };
      const { items, next, searched } = await database.transaction((sql) => searchDeliveries(sql, storeId, filter, page), {
        planEachTime: true,
      });
      const [counted] = await database.rows(COUNT, { ids: items.map(({ id }) => id), ...moment });
      deliveries += counted?.n ?? 0;
      matching += items.length;
      read += searched;
      if (next === null || read >= MAX_COUNTED) return { deliveries, matching, isComplete: next === null, ...moment };
      after = next;
    }
  },
  add: async (storeId, filter, request) => {
    const id = ids.next();
    await database.execute(ADD, { id, storeId, filter: JSON.stringify(filter), ...request });
    return id;
  },
  next: (id, limit) =>
    database.transaction(
      async (sql) => {
        const [request] = await sql.rows(TAKE, { id });
        if (!request) return null;
        const { storeId, filter, askedAt, reached } = request;
        // Removals wait, so that what one takes away is not put back.
        await shareFanOut(sql, storeId);
        const { items, next } = await searchDeliveries(sql, storeId, filter, { after: reached, take: limit });
        const found = items.map((item) => item.id);
        // In the order in which a settlement locks the two.
        await sql.execute(LOCK_QUEUED, { ids: found });
        const sent = await sql.rows(REDELIVER, { ids: found, askedAt });
        await sql.execute(REACH, { id, reached: next, sent: sent.length, skipped: found.length - sent.length });
        const subscriptionIds = [...new Set(sent.map(({ subscriptionId }) => subscriptionId))];
        return { deliveries: sent.length, subscriptionIds, isLast: next === null };
      },
      { planEachTime: true },
    ),
  get: async (id) => (await database.rows(GET, { id }))[0] ?? null,
  open: async () => (await database.rows(OPEN)).map(({ id }) => id),
  purge: (days, limit) => database.execute(PURGE, { days, limit }),
});
