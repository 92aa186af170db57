import { stepSeconds } from '../../../domain/insight/figures.ts';
import { joinSteps } from '../../../domain/insight/join-steps.ts';
import type { Figures } from '../../../domain/ports/insight/figures.ts';
import { isoTime } from '../../../domain/time.ts';
import type { Sql } from '../connection/sql.ts';
import {
  CONDENSE,
  PURGE_DELIVERIES,
  PURGE_REFUSALS,
  READ_DELIVERIES,
  READ_REFUSALS,
  READ_SUBSCRIPTION,
  RECENT_FAILED,
  RECENT_REFUSALS,
  STORES_TO_CONDENSE,
} from './figure-statements.ts';
import { FIND_STORE } from '../work/find-store.ts';

/** Store by store, up to the limit. */
const condense = async (sql: Sql, of: keyof typeof CONDENSE, days: number, limit: number): Promise<number> => {
  let condensed = 0;
  for (const { storeId } of await sql.rows(STORES_TO_CONDENSE[of], { days, limit })) {
    const [row] = await sql.rows(CONDENSE[of], { storeId, days, limit: limit - condensed });
    condensed += row?.n ?? 0;
  }
  return condensed;
};

export const figures = (sql: Sql): Figures => ({
  read: async (storeId, { from, to, step }) => {
    const range = { storeId, from: isoTime(from), to: isoTime(to), stepSeconds: stepSeconds(step) };
    const [stores, deliveries, refusals] = await Promise.all([
      sql.execute(FIND_STORE, { storeId }),
      sql.rows(READ_DELIVERIES, range),
      sql.rows(READ_REFUSALS, range),
    ]);
    return stores === 0 ? null : joinSteps(deliveries, refusals);
  },
  readOf: async ({ storeId, subscriptionId }, { from, to, step }) => {
    const range = { storeId, subscriptionId, from: isoTime(from), to: isoTime(to), stepSeconds: stepSeconds(step) };
    return joinSteps(await sql.rows(READ_SUBSCRIPTION, range), []);
  },
  recent: async (storeId, since) => {
    const [refusals, failed] = await Promise.all([
      sql.rows(RECENT_REFUSALS, { storeId, since: isoTime(since.refusals) }),
      sql.rows(RECENT_FAILED, { storeId, since: isoTime(since.failed) }),
    ]);
    return { refusals, failed: failed[0]?.failed ?? 0 };
  },
  condense: async (days, limit) => {
    const deliveries = await condense(sql, 'deliveries', days, limit);
    return deliveries + (await condense(sql, 'refusals', days, limit - deliveries));
  },
  purge: async (days, limit) => {
    const deliveries = await sql.execute(PURGE_DELIVERIES, { days, limit });
    return deliveries + (await sql.execute(PURGE_REFUSALS, { days, limit: limit - deliveries }));
  },
});
