import { RECORDED_ENDS } from '../../../domain/catalogue/import-record.ts';
import { INCIDENT_CAUSES } from '../../../domain/insight/incident-causes.ts';
import {
  IMAGES_HOURS,
  IMPORTS_HOURS,
  type IncidentKind,
  LIMITS,
  REFUSALS_MINUTES,
} from '../../../domain/insight/incident-rules.ts';
import { NO_APP_NAME, refusalsSubject } from '../../../domain/insight/incident-subject.ts';
import type { Sighting, Signal } from '../../../domain/insight/incidents.ts';
import { CHECKS } from '../../../domain/insight/refused-request.ts';
import type { IncidentSignals } from '../../../domain/ports/insight/incident-signals.ts';
import { deactivatedBecause } from '../../../domain/webhooks/deliverability.ts';
import { DELIVERY_ERRORS } from '../../../domain/webhooks/delivery.ts';
import { ERROR_NAMES } from '../../../domain/webhooks/error-names.ts';
import { receiverName } from '../../../domain/webhooks/receiver.ts';
import type { Database } from '../connection/database.ts';
import { oneOf } from '../connection/sql-types.ts';
import type { TransactionSql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import { firstSendable, isNext, sendableRows } from './queue/queue-row.ts';
import { IS_HELD_OR_PAUSED, SUBSCRIPTIONS } from './subscriptions/receivers.ts';

/** Deliveries that are counted of a receiver or of a store. */
const COUNTED = 1_000;
/** Deliveries of a receiver in whose errors the last one is looked for. */
const LOOKED_AT = 20;
/** Refused requests of a store that are looked through for their apps. */
const REQUESTS = 20_000;
/** Imports that are looked through. */
const IMPORTS = 5_000;

const ago = (unit: 'secs' | 'mins' | 'hours', count: number): string =>
  `statement_timestamp() - make_interval(${unit} => ${count})`;
const NOT_ERASING = 'NOT EXISTS (SELECT FROM store_erasures x WHERE x.store_id = s.store_id)';
const countOf = (rows: string): string => `(SELECT count(*)::int FROM (${rows} LIMIT ${COUNTED}) counted)`;
const LIMIT = { limit: 'int8' } as const;
const OF_STORE = { storeId: 'uuid', since: 'text', value: 'float8' } as const;

/** By the index of those that fail. Each looks up its own deliveries. */
const FAILING = statement({
  text: `
    SELECT s.store_id AS "storeId", s.id AS subject, s.url, s.description, s.failures::float AS value, iso(s.failing_since) AS since,
      ${countOf(sendableRows('s.store_id', 's.id', String(COUNTED)))} AS impact,
      (SELECT d.error FROM (
         SELECT delivery_id FROM delivery_queue WHERE store_id = s.store_id AND subscription_id = s.id ORDER BY due_at LIMIT ${LOOKED_AT}
       ) q JOIN deliveries d ON d.store_id = s.store_id AND d.id = q.delivery_id
       WHERE d.error IS NOT NULL ORDER BY d.updated_at DESC LIMIT 1) AS error
    FROM subscriptions s WHERE s.is_active AND s.failing_since IS NOT NULL AND s.paused_at IS NULL ORDER BY s.failures DESC, s.id LIMIT $limit`,
  parameters: LIMIT,
  row: {
    ...OF_STORE,
    since: 'text',
    subject: 'uuid',
    url: 'text',
    description: 'text?',
    impact: 'int4',
    error: oneOf('text?', DELIVERY_ERRORS),
  },
});

/** An older version sets only `updated_at`. */
const DEACTIVATED_AT = 'coalesce(s.deactivated_at, s.updated_at)';

const DEACTIVATED = statement({
  text: `
    SELECT s.store_id AS "storeId", s.id AS subject, s.url, s.description, iso(${DEACTIVATED_AT}) AS since,
      iso(s.failing_since) AS "failingSince", extract(epoch FROM statement_timestamp() - ${DEACTIVATED_AT})::float AS value
    FROM subscriptions s
    WHERE NOT s.is_active AND s.updated_at > ${ago('secs', LIMITS.deactivatedSeconds.continue)} AND ${NOT_ERASING}
    ORDER BY s.updated_at DESC, s.id LIMIT $limit`,
  parameters: LIMIT,
  row: { ...OF_STORE, subject: 'uuid', url: 'text', description: 'text?', failingSince: 'text?' },
});

const COUNTED_SINCE = `date_trunc('minute', ${ago('mins', REFUSALS_MINUTES.counted)})`;
const BEFORE_SINCE = `date_trunc('minute', ${ago('mins', REFUSALS_MINUTES.counted + REFUSALS_MINUTES.before)})`;

const HOT = `unit = 'minute' AND at >= ${COUNTED_SINCE}`;
const IS_HOT = `sum(refusals) >= ${LIMITS.refusals.continue}`;

/** The stores with the most refusals for one reason. */
const STORES_REFUSED = statement({
  text: `
    SELECT DISTINCT store_id AS "storeId" FROM (
      SELECT store_id FROM refusal_figures WHERE ${HOT} GROUP BY store_id, "check", reason HAVING ${IS_HOT} ORDER BY sum(refusals) DESC LIMIT $limit
    ) hot`,
  parameters: LIMIT,
  row: { storeId: 'uuid' },
});

/** The figures say which reasons to look for, and the log which apps they are of. */
const REFUSED = statement({
  text: `
    SELECT h.store_id AS "storeId", h."check", h.reason, a.installation_id AS "installationId", i.name AS app, a.counted::float AS value,
      iso(a.since) AS since, (coalesce(b.refusals, 0) / ${(REFUSALS_MINUTES.before / REFUSALS_MINUTES.counted).toFixed(1)})::float AS before
    FROM (
      SELECT store_id, "check", reason FROM refusal_figures WHERE store_id = ANY ($storeIds) AND ${HOT}
      GROUP BY store_id, "check", reason HAVING ${IS_HOT}
    ) h CROSS JOIN LATERAL (
      SELECT l.installation_id, sum(1 + l.left_out) AS counted, min(l.at) AS since FROM (
        SELECT * FROM request_log WHERE store_id = h.store_id AND at >= ${COUNTED_SINCE} ORDER BY at DESC LIMIT ${REQUESTS}
      ) l WHERE l."check" = h."check" AND l.reason = h.reason
      GROUP BY l.installation_id HAVING sum(1 + l.left_out) >= ${LIMITS.refusals.continue}
    ) a CROSS JOIN LATERAL (
      SELECT sum(f.refusals) AS refusals FROM refusal_figures f
      WHERE f.store_id = h.store_id AND f.at >= ${BEFORE_SINCE} AND f.at < ${COUNTED_SINCE} AND f."check" = h."check" AND f.reason = h.reason
    ) b LEFT JOIN installations i ON i.store_id = h.store_id AND i.id = a.installation_id
    ORDER BY value DESC LIMIT $limit`,
  parameters: { storeIds: 'uuid[]', ...LIMIT },
  row: {
    ...OF_STORE,
    check: oneOf('text', CHECKS),
    reason: 'text',
    installationId: 'uuid?',
    app: 'text?',
    before: 'float8',
  },
});

const IS_LATE = `q.due_at <= ${ago('secs', LIMITS.lateSeconds.continue)} AND ${isNext('s.store_id')}`;

const LATE = statement({
  text: `
    SELECT l.store_id AS "storeId", st.domain AS name, iso(l.due_at) AS since, extract(epoch FROM statement_timestamp() - l.due_at)::float AS value,
      l.counted AS impact
    FROM (
      SELECT s.store_id, min(q.due_at) AS due_at,
        least(sum(${countOf(sendableRows('s.store_id', 's.id', String(COUNTED), IS_LATE))}), ${COUNTED})::int AS counted
      FROM ${SUBSCRIPTIONS} CROSS JOIN LATERAL (${firstSendable('s.store_id', 's.id', '1', IS_LATE)}) q
      WHERE s.is_active AND s.probe_at IS NULL AND NOT ${IS_HELD_OR_PAUSED}
      GROUP BY s.store_id ORDER BY due_at LIMIT $limit
    ) l JOIN stores st ON st.id = l.store_id`,
  parameters: LIMIT,
  row: { ...OF_STORE, name: 'text', impact: 'int4' },
});

const hasFailed = (row: string): string => `(${row}.ended <> 'complete' OR ${row}.failed > 0)`;

/** The last import of a store tells how it is. Those before the last one without failures are over. */
const IMPORTS_FAILED = statement({
  text: `
    WITH looked AS MATERIALIZED (
      SELECT * FROM product_imports WHERE ended_at >= ${ago('hours', IMPORTS_HOURS)} ORDER BY ended_at DESC LIMIT ${IMPORTS}
    ), failed AS (
      SELECT f.*, count(*) OVER of_store AS value, min(f.ended_at) OVER of_store AS since, max(f.ended_at) OVER of_store AS last_at
      FROM looked f WHERE ${hasFailed('f')} AND NOT EXISTS (
        SELECT FROM looked g WHERE g.store_id = f.store_id AND g.ended_at > f.ended_at AND NOT ${hasFailed('g')})
      WINDOW of_store AS (PARTITION BY f.store_id)
    )
    SELECT DISTINCT ON (f.value, f.store_id) f.store_id AS "storeId", st.domain AS name, iso(f.since) AS since, f.value::float AS value,
      f.file_name AS "fileName", f.read, f.failed, coalesce(f.ended, 'broken_off') AS ended
    FROM failed f JOIN stores st ON st.id = f.store_id WHERE f.ended_at = f.last_at
    ORDER BY f.value DESC, f.store_id LIMIT $limit`,
  parameters: LIMIT,
  row: { ...OF_STORE, name: 'text', fileName: 'text?', read: 'int4', failed: 'int4', ended: oneOf('text', RECORDED_ENDS) },
});

const IMAGES_FAILED = statement({
  text: `
    SELECT store_id AS "storeId", installation_id AS subject, name, iso(min(ended_at)) AS since, sum(failed)::float AS value,
      (array_agg(message ORDER BY ended_at DESC))[1] AS message
    FROM (
      SELECT m.store_id, m.installation_id, i.name, m.ended_at, n.failed, n.message
      FROM media_imports m JOIN installations i ON i.store_id = m.store_id AND i.id = m.installation_id AND i.status <> 'Uninstalled' CROSS JOIN LATERAL (
        SELECT count(*) AS failed, (array_agg(error ORDER BY index))[1] AS message
        FROM media_import_items WHERE store_id = m.store_id AND import_id = m.id AND status = 'Failed'
      ) n
      WHERE m.ended_at >= ${ago('hours', IMAGES_HOURS)} AND m.status IN ('CompletedWithErrors', 'Failed')
      ORDER BY m.ended_at DESC LIMIT ${IMPORTS}
    ) m
    WHERE failed > 0 GROUP BY store_id, installation_id, name ORDER BY value DESC LIMIT $limit`,
  parameters: LIMIT,
  row: { ...OF_STORE, subject: 'uuid', name: 'text', message: 'text?' },
});

interface Limit {
  readonly limit: number;
}
type Told = Omit<Signal, 'kind' | 'before'> & { readonly before?: number };

const failing = async (sql: TransactionSql, limit: Limit): Promise<Told[]> =>
  (await sql.rows(FAILING, limit)).map(({ url, description, error, ...row }) => ({
    ...row,
    name: receiverName({ url, description }),
    cause: INCIDENT_CAUSES.receiver_failing(row.value, error && ERROR_NAMES[error]),
  }));

const deactivated = async (sql: TransactionSql, limit: Limit): Promise<Told[]> =>
  (await sql.rows(DEACTIVATED, limit)).map(({ url, description, failingSince, ...row }) => ({
    ...row,
    impact: 1,
    name: receiverName({ url, description }),
    cause: INCIDENT_CAUSES.receiver_deactivated(
      deactivatedBecause({ failingSince, deactivatedAt: row.since }) ?? 'failed_for_120_hours',
    ),
  }));

const refused = async (sql: TransactionSql, limit: Limit): Promise<Told[]> => {
  const storeIds = (await sql.rows(STORES_REFUSED, limit)).map(({ storeId }) => storeId);
  return (await sql.rows(REFUSED, { storeIds, ...limit })).map(({ check, reason, installationId, app, ...row }) => ({
    ...row,
    subject: refusalsSubject(installationId, check, reason),
    name: app ?? NO_APP_NAME,
    impact: row.value,
    cause: INCIDENT_CAUSES.refusals({ check, reason }),
  }));
};

const late = async (sql: TransactionSql, limit: Limit): Promise<Told[]> =>
  (await sql.rows(LATE, limit)).map((row) => ({ ...row, subject: '', cause: INCIDENT_CAUSES.deliveries_late() }));

const importsFailed = async (sql: TransactionSql, limit: Limit): Promise<Told[]> =>
  (await sql.rows(IMPORTS_FAILED, limit)).map(({ fileName, read, failed, ended, ...row }) => ({
    ...row,
    subject: '',
    impact: row.value,
    cause: INCIDENT_CAUSES.product_import_failed({ fileName, read, failed, ended }),
  }));

const imagesFailed = async (sql: TransactionSql, limit: Limit): Promise<Told[]> =>
  (await sql.rows(IMAGES_FAILED, limit)).map(({ message, ...row }) => ({
    ...row,
    impact: row.value,
    cause: INCIDENT_CAUSES.media_imports_failed(message),
  }));

const READERS: readonly (readonly [IncidentKind, (sql: TransactionSql, limit: Limit) => Promise<Told[]>])[] = [
  ['receiver_failing', failing],
  ['receiver_deactivated', deactivated],
  ['refusals', refused],
  ['deliveries_late', late],
  ['product_import_failed', importsFailed],
  ['media_imports_failed', imagesFailed],
];

export const incidentSignals = (database: Pick<Database, 'transaction'>): IncidentSignals => ({
  read: async (limit) => {
    const sightings: Sighting[] = [];
    for (const [kind, read] of READERS) {
      const found = await database.transaction((sql) => read(sql, { limit: limit + 1 }), { planEachTime: true });
      const signals = found.slice(0, limit).map((told) => ({ before: 0, ...told, kind }));
      sightings.push({ kind, signals, isComplete: found.length <= limit });
    }
    return sightings;
  },
});
