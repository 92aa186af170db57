import { perClass, stepSeconds, type FigureRange } from '../../../domain/insight/figures.ts';
import { joinSteps } from '../../../domain/insight/join-steps.ts';
import type { Figures } from '../../../domain/ports/insight/figures.ts';
import { isoTime } from '../../../domain/time.ts';
import type { Database } from '../connection/database.ts';
import { DAY_SECONDS, endOldest } from '../connection/purge.ts';
import { ADD_CALLS } from './call-figure-statements.ts';
import {
  CONDENSE,
  PURGE_FIGURES,
  READ_CALLS,
  READ_DELIVERIES,
  READ_REFUSALS,
  READ_SUBSCRIPTION,
  RECENT_REFUSALS,
  STORES_TO_CONDENSE,
} from './figure-statements.ts';
import { byStore } from '../../../domain/by-store.ts';
import { FIND_STORE } from '../work/find-store.ts';

/** Kinds with a table by minute and by hour. */
const KINDS = ['deliveries', 'refusals', 'calls'] as const;
type Kind = (typeof KINDS)[number];

/** Store by store, up to the limit. */
const condense = async (database: Database, of: Kind, seconds: number, limit: number): Promise<number> => {
  const { take, add, drop } = CONDENSE[of];
  let condensed = 0;
  for (const { storeId } of await database.rows(STORES_TO_CONDENSE[of], { seconds, limit })) {
    const left = limit - condensed;
    condensed += await database.transaction(async (sql) => {
      const places = (await sql.rows(take, { storeId, seconds, limit: left })).map(({ place }) => place);
      sql.enqueue(add, { storeId, places });
      sql.enqueue(drop, { storeId, places });
      return places.length;
    });
  }
  return condensed;
};

/** Runs for each kind, until the limit is reached. */
const ofEach = async (limit: number, run: (of: Kind, limit: number) => Promise<number>): Promise<number> => {
  let done = 0;
  for (const of of KINDS) done += await run(of, limit - done);
  return done;
};

const asParameters = (storeId: string, { from, to, step }: FigureRange) => ({
  storeId,
  from: isoTime(from),
  to: isoTime(to),
  stepSeconds: stepSeconds(step),
});

export const figures = (database: Database): Figures => ({
  read: async (storeId, wanted) => {
    const range = asParameters(storeId, wanted);
    const [stores, deliveries, refusals] = await Promise.all([
      database.execute(FIND_STORE, { storeId }),
      database.rows(READ_DELIVERIES, range),
      database.rows(READ_REFUSALS, range),
    ]);
    return stores === 0 ? null : joinSteps(deliveries, refusals);
  },
  readOf: async ({ storeId, subscriptionId }, range) =>
    joinSteps(await database.rows(READ_SUBSCRIPTION, { ...asParameters(storeId, range), subscriptionId }), []),
  addCalls: async (calls) => {
    for (const [storeId, own] of byStore(calls)) {
      const rows = own.map(({ installationId, at, answers, latency }) => ({
        installation_id: installationId,
        at_ms: at,
        answers,
        latency,
      }));
      await database.execute(ADD_CALLS, { storeId, calls: JSON.stringify(rows) });
    }
  },
  callsOf: async ({ storeId, installationId }, range) => {
    const rows = await database.rows(READ_CALLS, { ...asParameters(storeId, range), installationId });
    return rows.map(({ at, answers, latency }) => ({ at, answers: perClass(answers), latency }));
  },
  recentRefusals: (storeId, since) => database.rows(RECENT_REFUSALS, { storeId, since: isoTime(since) }),
  condense: (days, limit) => ofEach(limit, (of, rest) => condense(database, of, days * DAY_SECONDS, rest)),
  purge: (days, limit) => ofEach(limit, (of, rest) => endOldest(database, PURGE_FIGURES[of], days * DAY_SECONDS, rest)),
});
