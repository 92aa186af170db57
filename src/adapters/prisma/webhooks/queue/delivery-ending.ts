import { randomUUID } from 'node:crypto';

import type { Sql } from '../../connection/sql.ts';
import { statement } from '../../connection/statement.ts';
import {
  ADD_ENDINGS,
  COUNT_SEEN,
  END_SEEN,
  ENDS,
  FINISH_ENDING,
  SEE,
  TAKE_ENDING,
  type EndStatus,
} from './delivery-ending-statements.ts';

/** What a request ends itself. The worker ends the rest, so that no request's work grows with a queue. */
export const ENDED_AT_ONCE = 1_000;

const LOCK_SUBSCRIPTIONS = statement({
  text: 'SELECT id FROM subscriptions WHERE store_id = $storeId AND installation_id = $installationId ORDER BY id FOR UPDATE',
  parameters: { storeId: 'uuid', installationId: 'uuid' },
  row: { id: 'uuid' },
});

/** The subscriptions of an app, locked in the order in which every transaction locks them. */
export const subscriptionsOf = async (sql: Sql, storeId: string, installationId: string): Promise<string[]> =>
  (await sql.rows(LOCK_SUBSCRIPTIONS, { storeId, installationId })).map(({ id }) => id);

/** How many queued deliveries a batch of the oldest ending looked at; null without an ending, or while others work on all of them. */
const endSome = async (
  sql: Sql,
  storeId: string,
  limit: number,
  subscriptionIds: readonly string[] | null,
): Promise<number | null> => {
  const [ending] = await sql.rows(TAKE_ENDING, { storeId, subscriptionIds });
  if (!ending) return null;
  const { id, ...place } = ending;
  const seen = await sql.rows(SEE, { storeId, ...place, limit });
  const [first] = seen;
  if (first) {
    const { lastDue, lastId } = first;
    const those = { storeId, id, seen: seen.map(({ deliveryId }) => deliveryId) };
    await Promise.all([sql.execute(END_SEEN, { ...those, lastDue, lastId }), sql.execute(COUNT_SEEN, those)]);
  } else {
    // Only a look that finds nothing shows the end: of what one has seen, some may be gone meanwhile.
    await sql.execute(FINISH_ENDING, { storeId, id });
  }
  return seen.length;
};

export const endBatch = async (
  sql: Sql,
  storeId: string,
  limit: number,
  subscriptionIds: readonly string[] | null = null,
): Promise<number> => {
  let looked = 0;
  while (looked < limit) {
    const some = await endSome(sql, storeId, limit - looked, subscriptionIds);
    if (some === null) break;
    looked += some;
  }
  return looked;
};

/**
 * Ends what is queued for the subscriptions, or the part of it that has one of the event types. It is
 * shown as ended, and nothing of it is sent, as soon as the transaction commits. The rows of a large
 * queue follow in batches of the worker. Call it with the fan-outs excluded and, unless the caller has
 * the lease, with the leaseholders stopped.
 */
export const endQueued = async (
  sql: Sql,
  storeId: string,
  status: EndStatus,
  subscriptionIds: readonly string[],
  types: readonly string[] | null = null,
): Promise<void> => {
  const ids = subscriptionIds.map(() => randomUUID());
  await sql.execute(ADD_ENDINGS, { storeId, status, error: ENDS[status], types, ids, subscriptionIds });
  await endBatch(sql, storeId, ENDED_AT_ONCE, subscriptionIds);
};
