import { MAX_COUNTED } from '../../../domain/ports/redelivery-repository.ts';
import type { DeliveryFilter } from '../../../domain/ports/delivery-log.ts';
import type { Ids } from '../../../domain/ports/ids.ts';
import type { RedeliveryRepository } from '../../../domain/ports/redelivery-repository.ts';
import type { Database } from '../connection/database.ts';
import { json } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import { shareFanOut } from '../work/fan-out-lock.ts';
import { mayReceive } from './delivery-matching.ts';
import { dueAgain, RECEIVER } from './delivery-replay.ts';
import { searchDeliveries } from './delivery-search.ts';

/** Found deliveries that did not change after the request and may still be received. */
const WANTED = `d.id = ANY ($ids) AND coalesce(d.updated_at, d.created_at) <= $askedAt::timestamptz
  AND ${mayReceive('e.type', 'e.origin_installation_id')}`;

const MOMENT = statement({
  text: 'SELECT iso(statement_timestamp()::timestamptz(3)) AS "askedAt" FROM stores WHERE id = $storeId',
  parameters: { storeId: 'uuid' },
  row: { askedAt: 'text' },
});

const COUNT = statement({
  text: `SELECT count(*)::int AS n FROM ${RECEIVER} WHERE ${WANTED}`,
  parameters: { ids: 'uuid[]', askedAt: 'timestamptz' },
  row: { n: 'int4' },
});

const ADD = statement({
  text: 'INSERT INTO redeliveries (id, store_id, filter, asked_at) VALUES ($id, $storeId, $filter, $askedAt)',
  parameters: { id: 'uuid', storeId: 'uuid', filter: 'jsonb', askedAt: 'timestamptz' },
});

const TAKE = statement({
  text: `
    SELECT store_id AS "storeId", filter, iso(asked_at) AS "askedAt", reached
    FROM redeliveries WHERE id = $id FOR UPDATE SKIP LOCKED`,
  parameters: { id: 'uuid' },
  row: { storeId: 'uuid', filter: json<DeliveryFilter>('jsonb'), askedAt: 'text', reached: 'uuid?' },
});

const LOCK_QUEUED = statement({
  text: 'SELECT FROM delivery_queue WHERE delivery_id = ANY ($ids) ORDER BY delivery_id FOR UPDATE',
  parameters: { ids: 'uuid[]' },
});

const REDELIVER = statement({
  text: `${dueAgain(`d.id IN (SELECT d.id FROM ${RECEIVER} WHERE ${WANTED} ORDER BY d.id FOR UPDATE OF d)`)}
    RETURNING subscription_id AS "subscriptionId"`,
  parameters: { ids: 'uuid[]', askedAt: 'timestamptz' },
  row: { subscriptionId: 'uuid' },
});

const REACH = statement({
  text: 'UPDATE redeliveries SET reached = $reached WHERE id = $id',
  parameters: { id: 'uuid', reached: 'uuid' },
});

const END = statement({ text: 'DELETE FROM redeliveries WHERE id = $id', parameters: { id: 'uuid' } });

const OPEN = statement({ text: 'SELECT id FROM redeliveries ORDER BY asked_at, id', row: { id: 'uuid' } });

const COUNTED_AT_ONCE = 1_000;

export const redeliveryRepository = (database: Database, { ids }: { readonly ids: Ids }): RedeliveryRepository => ({
  count: async (storeId, filter) => {
    const [moment] = await database.rows(MOMENT, { storeId });
    if (!moment) return null;
    let deliveries = 0;
    let read = 0;
    let after: string | null = null;
    for (;;) {
      const page: { readonly after: string | null; readonly take: number } = { after, take: COUNTED_AT_ONCE };
      const { items, next, searched } = await database.transaction((sql) => searchDeliveries(sql, storeId, filter, page), {
        planEachTime: true,
      });
      const [counted] = await database.rows(COUNT, { ids: items.map(({ id }) => id), ...moment });
      deliveries += counted?.n ?? 0;
      read += searched;
      if (next === null || read >= MAX_COUNTED) return { deliveries, isComplete: next === null, ...moment };
      after = next;
    }
  },
  add: async (storeId, filter, askedAt) => {
    const id = ids.next();
    await database.execute(ADD, { id, storeId, filter: JSON.stringify(filter), askedAt });
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
        await (next === null ? sql.execute(END, { id }) : sql.execute(REACH, { id, reached: next }));
        const subscriptionIds = [...new Set(sent.map(({ subscriptionId }) => subscriptionId))];
        return { deliveries: sent.length, subscriptionIds, isLast: next === null };
      },
      { planEachTime: true },
    ),
  open: async () => (await database.rows(OPEN)).map(({ id }) => id),
});
