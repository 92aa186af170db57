import { CHECKS } from '../../../domain/insight/refused-request.ts';
import { oneOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import { addingDeliveryFigures, eachCount } from '../work/delivery-figures.ts';
import { addingCalls, eachCall } from './call-figure-statements.ts';

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

export const READ_DELIVERIES = statement({ text: stepsOf(IN_RANGE), parameters: RANGE, row: STEP_ROW });

export const READ_SUBSCRIPTION = statement({
  text: stepsOf(`${IN_RANGE} AND f.subscription_id = $subscriptionId`),
  parameters: { ...RANGE, subscriptionId: 'uuid' },
  row: STEP_ROW,
});

export const READ_REFUSALS = statement({
  text: `
    SELECT iso(s.at) AS step, s."check", s.reason, s.count FROM (
      SELECT ${STEP} AS at, f."check", f.reason, sum(f.refusals)::int AS count FROM refusal_figures f WHERE ${IN_RANGE} GROUP BY 1, 2, 3) s
    ORDER BY s."check", s.reason`,
  parameters: RANGE,
  row: { step: 'text', check: oneOf('text', CHECKS), reason: 'text', count: 'int4' },
});

/** Minutes and hours of one snapshot, as of the deliveries. */
export const READ_CALLS = statement({
  text: `
    SELECT iso(s.at) AS at, s.answers, s.latency FROM (
      SELECT ${STEP} AS at, ${callSums.answers} AS answers, ${callSums.latency} AS latency
      FROM call_figures f WHERE ${IN_RANGE} AND f.installation_id = $installationId GROUP BY 1) s
    ORDER BY s.at`,
  parameters: { ...RANGE, installationId: 'uuid' },
  row: { at: 'text', answers: 'int4[]', latency: 'int4[]' },
});

export const RECENT_REFUSALS = statement({
  text: `
    SELECT "check", reason, sum(refusals)::int AS count FROM refusal_figures
    WHERE store_id = $storeId AND at >= date_trunc('minute', $since::timestamptz) GROUP BY "check", reason ORDER BY count DESC, "check", reason LIMIT 50`,
  parameters: { storeId: 'uuid', since: 'timestamptz' },
  row: { check: oneOf('text', CHECKS), reason: 'text', count: 'int4' },
});

const OLD = { days: 'int4', limit: 'int8' } as const;
const OLD_OF_STORE = { storeId: 'uuid', ...OLD } as const;

const isOld = (unit: string): string => `unit = '${unit}' AND at < now() - make_interval(days => $days)`;

/** The stores of the oldest figures by minute that are to be condensed. */
const storesToCondense = (table: string): string => `
    SELECT DISTINCT store_id AS "storeId" FROM (SELECT store_id FROM ${table} WHERE ${isOld('minute')} ORDER BY at LIMIT $limit) o`;

export const STORES_TO_CONDENSE = {
  deliveries: statement({ text: storesToCondense('delivery_figures'), parameters: OLD, row: { storeId: 'uuid' } }),
  refusals: statement({ text: storesToCondense('refusal_figures'), parameters: OLD, row: { storeId: 'uuid' } }),
  calls: statement({ text: storesToCondense('call_figures'), parameters: OLD, row: { storeId: 'uuid' } }),
};

const deleting = (table: string, unit: string, where = ''): string => `
    DELETE FROM ${table} WHERE ${where}ctid = ANY (ARRAY(
      (SELECT ctid FROM ${table} WHERE ${where}${isOld(unit)} ORDER BY at LIMIT $limit FOR UPDATE SKIP LOCKED)))`;

const taking = (table: string): string => `${deleting(table, 'minute', 'store_id = $storeId AND ')} RETURNING *`;

/** The rows that one call has taken are locked, so another leaves them out; both add to the hour. */
export const CONDENSE = {
  deliveries: statement({
    text: `
    WITH taken AS (${taking('delivery_figures')}), moved AS (${addingDeliveryFigures(`
      SELECT store_id, subscription_id, 'hour', date_trunc('hour', at, 'UTC') AS hour, sum(delivered)::int, sum(failed)::int, sum(dropped)::int,
        ${sums.attempts}, ${sums.latency}, ${sums.firstAttempt}, sum(filtered)::int, sum(gathered)::int FROM taken GROUP BY store_id, subscription_id, hour`)})
    SELECT count(*)::int AS n FROM taken`,
    parameters: OLD_OF_STORE,
    row: { n: 'int4' },
  }),
  refusals: statement({
    text: `
    WITH taken AS (${taking('refusal_figures')}), moved AS (
      INSERT INTO refusal_figures AS f (store_id, "check", reason, unit, at, refusals)
      SELECT store_id, "check", reason, 'hour', date_trunc('hour', at, 'UTC') AS hour, sum(refusals)::int
      FROM taken GROUP BY store_id, "check", reason, hour ORDER BY hour, "check", reason
      ON CONFLICT (store_id, at, unit, "check", reason) DO UPDATE SET refusals = f.refusals + excluded.refusals)
    SELECT count(*)::int AS n FROM taken`,
    parameters: OLD_OF_STORE,
    row: { n: 'int4' },
  }),
  calls: statement({
    text: `
    WITH taken AS (${taking('call_figures')}), moved AS (${addingCalls(`
      SELECT store_id, installation_id, 'hour', date_trunc('hour', at, 'UTC') AS hour, ${callSums.answers}, ${callSums.latency}
      FROM taken GROUP BY store_id, installation_id, hour`)})
    SELECT count(*)::int AS n FROM taken`,
    parameters: OLD_OF_STORE,
    row: { n: 'int4' },
  }),
};

export const PURGE = {
  deliveries: statement({ text: deleting('delivery_figures', 'hour'), parameters: OLD }),
  refusals: statement({ text: deleting('refusal_figures', 'hour'), parameters: OLD }),
  calls: statement({ text: deleting('call_figures', 'hour'), parameters: OLD }),
};
