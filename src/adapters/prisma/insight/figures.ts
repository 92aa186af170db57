import { STATUS_CLASSES, perClass, stepSeconds, type FigureRange } from '../../../domain/insight/figures.ts';
import { joinSteps } from '../../../domain/insight/join-steps.ts';
import { CHECKS } from '../../../domain/insight/refused-request.ts';
import type { Figures } from '../../../domain/ports/insight/figures.ts';
import { byStore } from '../../../domain/store-key.ts';
import { isoTime } from '../../../domain/time.ts';
import type { Database } from '../connection/database.ts';
import { findOldest, isBefore, removal, DAY_SECONDS, endOldest } from '../connection/purge.ts';
import { oneOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import { arrayOf, LATENCIES, addingDeliveryFigures, eachCount } from '../work/delivery-figures.ts';
import { FIND_STORE } from '../work/find-store.ts';
import { addingRefusals } from './request-log-statements.ts';

const eachCall = (of: (element: string) => string) => ({
  answers: arrayOf(STATUS_CLASSES.length, (index) => of(`answers[${String(index)}]`)),
  latency: arrayOf(LATENCIES, (index) => of(`latency[${String(index)}]`)),
});

const { answers, latency } = eachCall((element) => `f.${element} + excluded.${element}`);

const IN_ORDER_OF_KEYS = 'ORDER BY 1, 4, 2';

/** Adds rows to the figures. They come in the order of their keys, so that two transactions do not wait for each other. */
const addingCalls = (rows: string): string => `
  INSERT INTO call_figures AS f (store_id, installation_id, unit, at, answers, latency)
  ${rows}
  ON CONFLICT (store_id, at, unit, installation_id) DO UPDATE SET answers = ${answers}, latency = ${latency}`;

/** The lock keeps the store until its rows are there for an erasure. */
const ADD_CALLS = statement({
  text: addingCalls(`
  SELECT s.id, r.installation_id, 'minute', to_timestamp(r.at_ms / 1000), r.answers, r.latency
  FROM stores s CROSS JOIN json_to_recordset($calls::json) AS r(installation_id uuid, at_ms float8, answers int[], latency int[])
  WHERE s.id = $storeId ${IN_ORDER_OF_KEYS} FOR KEY SHARE OF s`),
  parameters: { storeId: 'uuid', calls: 'json' },
});

const RANGE = { storeId: 'uuid', from: 'timestamptz', to: 'timestamptz', stepSeconds: 'float8' } as const;

/** Steps are of UTC, in a session with any time zone. */
const STEP = `date_bin(make_interval(secs => $stepSeconds), f.at, '1970-01-01T00:00:00Z')`;
const IN_RANGE = 'f.store_id = $storeId AND f.at >= $from AND f.at < $to';

const sums = eachCount((element) => `sum(${element})`);
const callSums = eachCall((element) => `sum(${element})`);

/** Minutes and hours of one snapshot, so that what is moved meanwhile counts once. */
const stepsOf = (condition: string): string => `
    SELECT iso(s.at) AS step, s.delivered, s.failed, s.dropped, s.attempts, s.latency, s."firstAttempt", s.filtered, s.gathered FROM (
      SELECT ${STEP} AS at, sum(f.delivered)::int AS delivered, sum(f.failed)::int AS failed, sum(f.dropped)::int AS dropped,
        ${sums.attempts} AS attempts, ${sums.latency} AS latency, ${sums.firstAttempt} AS "firstAttempt",
        sum(f.filtered)::int AS filtered, sum(f.gathered)::int AS gathered
      FROM delivery_figures f WHERE ${condition} GROUP BY 1) s`;

const STEP_ROW = {
  step: 'text',
  delivered: 'int4',
  failed: 'int4',
  dropped: 'int4',
  attempts: 'int4[]',
  latency: 'int4[]',
  firstAttempt: 'int4[]',
  filtered: 'int4',
  gathered: 'int4',
} as const;

const READ_DELIVERIES = statement({ text: stepsOf(IN_RANGE), parameters: RANGE, row: STEP_ROW });

const READ_SUBSCRIPTION = statement({
  text: stepsOf(`${IN_RANGE} AND f.subscription_id = $subscriptionId`),
  parameters: { ...RANGE, subscriptionId: 'uuid' },
  row: STEP_ROW,
});

const READ_REFUSALS = statement({
  text: `
    SELECT iso(s.at) AS step, s."check", s.reason, s.count FROM (
      SELECT ${STEP} AS at, f."check", f.reason, sum(f.refusals)::int AS count FROM refusal_figures f WHERE ${IN_RANGE} GROUP BY 1, 2, 3) s
    ORDER BY s."check", s.reason`,
  parameters: RANGE,
  row: { step: 'text', check: oneOf('text', CHECKS), reason: 'text', count: 'int4' },
});

/** Minutes and hours of one snapshot, as of the deliveries. */
const READ_CALLS = statement({
  text: `
    SELECT iso(s.at) AS at, s.answers, s.latency FROM (
      SELECT ${STEP} AS at, ${callSums.answers} AS answers, ${callSums.latency} AS latency
      FROM call_figures f WHERE ${IN_RANGE} AND f.installation_id = $installationId GROUP BY 1) s
    ORDER BY s.at`,
  parameters: { ...RANGE, installationId: 'uuid' },
  row: { at: 'text', answers: 'int4[]', latency: 'int4[]' },
});

const RECENT_REFUSALS = statement({
  text: `
    SELECT "check", reason, sum(refusals)::int AS count FROM refusal_figures
    WHERE store_id = $storeId AND at >= date_trunc('minute', $since::timestamptz) GROUP BY "check", reason ORDER BY count DESC, "check", reason LIMIT 50`,
  parameters: { storeId: 'uuid', since: 'timestamptz' },
  row: { check: oneOf('text', CHECKS), reason: 'text', count: 'int4' },
});

const ofUnit = (table: string, unit: string) => ({ table, at: 'at', isDue: () => `unit = '${unit}' AND ${isBefore('at')}` });
const minutes = (table: string) => ofUnit(table, 'minute');
const hours = (table: string) => ofUnit(table, 'hour');

/** The stores of the oldest figures by minute that are to be condensed. */
const storesToCondense = (table: string) =>
  ({
    text: `
    SELECT DISTINCT store_id AS "storeId" FROM (SELECT store_id FROM ${table} WHERE ${minutes(table).isDue()} ORDER BY at LIMIT $limit) o`,
    parameters: { seconds: 'float8', limit: 'int8' },
    row: { storeId: 'uuid' },
  }) as const;

const STORES_TO_CONDENSE = {
  deliveries: statement(storesToCondense('delivery_figures')),
  refusals: statement(storesToCondense('refusal_figures')),
  calls: statement(storesToCondense('call_figures')),
};

/** The rows that one call has taken are locked, so another leaves them out, and keep their place. */
const taking = (table: string) =>
  ({
    text: `
    SELECT ctid::text AS place FROM ${table} WHERE store_id = $storeId AND ${minutes(table).isDue()}
    ORDER BY at LIMIT $limit FOR UPDATE SKIP LOCKED`,
    parameters: { storeId: 'uuid', seconds: 'float8', limit: 'int8' },
    row: { place: 'text' },
  }) as const;

const TAKEN = 'store_id = $storeId AND ctid = ANY ($places::text[]::tid[])';
const ofTaken = (text: string) => ({ text, parameters: { storeId: 'uuid', places: 'text[]' } }) as const;
const dropping = (table: string) => ofTaken(`DELETE FROM ${table} WHERE ${TAKEN}`);

/** In one transaction: what is taken is added to the hour and dropped. Two calls both add to it. */
const CONDENSE = {
  deliveries: {
    take: statement(taking('delivery_figures')),
    add: statement(
      ofTaken(
        addingDeliveryFigures(`
      SELECT store_id, subscription_id, 'hour', date_trunc('hour', at, 'UTC') AS hour, sum(delivered)::int, sum(failed)::int, sum(dropped)::int,
        ${sums.attempts}, ${sums.latency}, ${sums.firstAttempt}, sum(filtered)::int, sum(gathered)::int
      FROM delivery_figures WHERE ${TAKEN} GROUP BY store_id, subscription_id, hour`),
      ),
    ),
    drop: statement(dropping('delivery_figures')),
  },
  refusals: {
    take: statement(taking('refusal_figures')),
    add: statement(
      ofTaken(
        addingRefusals(`
      SELECT store_id, "check", reason, 'hour', date_trunc('hour', at, 'UTC') AS hour, sum(refusals)::int
      FROM refusal_figures WHERE ${TAKEN} GROUP BY store_id, "check", reason, hour`),
      ),
    ),
    drop: statement(dropping('refusal_figures')),
  },
  calls: {
    take: statement(taking('call_figures')),
    add: statement(
      ofTaken(
        addingCalls(`
      SELECT store_id, installation_id, 'hour', date_trunc('hour', at, 'UTC') AS hour, ${callSums.answers}, ${callSums.latency}
      FROM call_figures WHERE ${TAKEN} GROUP BY store_id, installation_id, hour ${IN_ORDER_OF_KEYS}`),
      ),
    ),
    drop: statement(dropping('call_figures')),
  },
};

const PURGE_FIGURES = {
  deliveries: {
    find: statement(findOldest(hours('delivery_figures'))),
    end: statement(removal(hours('delivery_figures'))),
  },
  refusals: {
    find: statement(findOldest(hours('refusal_figures'))),
    end: statement(removal(hours('refusal_figures'))),
  },
  calls: { find: statement(findOldest(hours('call_figures'))), end: statement(removal(hours('call_figures'))) },
};

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
