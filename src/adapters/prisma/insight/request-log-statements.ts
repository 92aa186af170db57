import { CHECKS, TREND_STEPS } from '../../../domain/insight/refused-request.ts';
import { NO_STORE } from '../../../domain/ports/locator.ts';
import { isOlder } from '../connection/list-page.ts';
import { findOldest, olderThan, removal } from '../connection/purge.ts';
import { oneOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';

export const STORES_OF_HOSTS = statement({
  text: 'SELECT store AS "storeId", domain AS host FROM store_domains WHERE domain = ANY ($hosts)',
  parameters: { hosts: 'text[]' },
  row: { storeId: 'uuid', host: 'text' },
});

const COLUMNS_OF_ALL = ['installation_id', 'route', 'status', 'code', 'reason', '"check"', 'duration_ms', 'left_out'];

/**
 * A refusal is written and counted once, so the batch can be sent again when its answer was lost: the ids are of those that are new. A batch may wait
 * through an outage, and its store be erased meanwhile: the lock keeps the store until its rows are there for the erasure.
 */
export const WRITE = statement({
  text: `
  INSERT INTO request_log (store_id, request_id, at, ${COLUMNS_OF_ALL.join()})
  SELECT s.id, r.id, to_timestamp(r.at_ms / 1000), ${COLUMNS_OF_ALL.map((column) => `r.${column}`).join()}
  FROM stores s CROSS JOIN unnest($ids::uuid[], $times::float[], $installationIds::uuid[], $routes::text[], $statuses::int[],
      $codes::text[], $reasons::text[], $checks::text[], $durations::float[], $leftOut::int[]) AS r(id, at_ms, ${COLUMNS_OF_ALL.join()})
  WHERE s.id = $storeId FOR KEY SHARE OF s
  ON CONFLICT DO NOTHING
  RETURNING request_id AS id`,
  parameters: {
    storeId: 'uuid',
    ids: 'uuid[]',
    times: 'float8[]',
    installationIds: 'uuid?[]',
    routes: 'text[]',
    statuses: 'int4[]',
    codes: 'text?[]',
    reasons: 'text[]',
    checks: 'text[]',
    durations: 'float8[]',
    leftOut: 'int4[]',
  },
  row: { id: 'uuid' },
});

/** Adds rows to the figures, in the order of their keys. */
export const addingRefusals = (rows: string): string => `
  INSERT INTO refusal_figures AS f (store_id, "check", reason, unit, at, refusals)
  ${rows} ORDER BY 1, 5, 2, 3
  ON CONFLICT (store_id, at, unit, "check", reason) DO UPDATE SET refusals = f.refusals + excluded.refusals`;

/** Counts the refusals that WRITE has written. */
export const COUNT_REFUSALS = statement({
  text: addingRefusals(`
  SELECT store_id, "check", reason, 'minute', date_trunc('minute', at) AS minute, sum(left_out + 1)::int
  FROM request_log WHERE store_id = $storeId AND request_id = ANY ($ids) GROUP BY store_id, "check", reason, minute`),
  parameters: { storeId: 'uuid', ids: 'uuid[]' },
});

/** Writes refusals without a store ($storeId is NO_STORE): there is no row to lock, and nothing is counted. */
export const WRITE_OF_NO_STORE = statement({
  text: `
  INSERT INTO request_log (store_id, request_id, at, host, ${COLUMNS_OF_ALL.join()})
  VALUES ($storeId, $id, to_timestamp($at::float / 1000), $host, $installationId, $route, $status, $code, $reason, $check, $durationMs, $leftOut)
  ON CONFLICT DO NOTHING`,
  parameters: {
    storeId: 'uuid',
    id: 'uuid',
    at: 'float8',
    host: 'text',
    installationId: 'uuid?',
    route: 'text',
    status: 'int2',
    code: 'text?',
    reason: 'text',
    check: 'text',
    durationMs: 'float8',
    leftOut: 'int4',
  },
});

const FIELDS = `l.request_id AS id, iso(l.at) AS at, l.route, l.status, l.code, l.reason, l."check", nullif(l.store_id, '${NO_STORE}') AS "storeId", l.host,
  l.installation_id AS "installationId", l.duration_ms AS "durationMs", l.left_out AS "leftOut"`;

const COLUMNS = {
  id: 'uuid',
  at: 'text',
  route: 'text',
  status: 'int2',
  code: 'text?',
  reason: 'text',
  check: oneOf('text', CHECKS),
  storeId: 'uuid?',
  host: 'text?',
  installationId: 'uuid?',
  durationMs: 'float8',
  leftOut: 'int4',
} as const;

/** All filters share a statement: each of them walks the same index from the newest. */
const MATCHES = `l.store_id = $storeId AND l.at >= coalesce($since::timestamptz, '-infinity')
      AND ($installationId::uuid IS NULL OR l.installation_id = $installationId) AND ($status::int IS NULL OR l.status = $status)
      AND ($check::text IS NULL OR l."check" = $check) AND ($reason::text IS NULL OR l.reason = $reason)
      AND ($method::text IS NULL OR split_part(l.route, ' ', 1) = $method)
      AND ($route::text IS NULL OR $route IN (l.route, split_part(l.route, ' ', 2)))`;

const FILTER = {
  storeId: 'uuid',
  since: 'timestamptz?',
  installationId: 'uuid?',
  status: 'int4?',
  check: 'text?',
  reason: 'text?',
  method: 'text?',
  route: 'text?',
} as const;

export const LIST_REFUSALS = statement({
  text: `
    SELECT ${FIELDS} FROM request_log l
    WHERE ${MATCHES}
      AND ${isOlder('l.at', 'l.request_id')}
    ORDER BY l.at DESC, l.request_id DESC LIMIT $take`,
  parameters: { ...FILTER, afterAt: 'timestamptz?', afterId: 'uuid?', take: 'int8' },
  row: COLUMNS,
});

const KIND = 'installation_id, route, status, "check", reason';

const TREND = Array.from(
  { length: TREND_STEPS },
  (_, step) => `coalesce(sum(left_out + 1) FILTER (WHERE step = ${String(step)}), 0)`,
).join(', ');

/** The newest of each group is found by the index, so that nothing is sorted but the groups. */
export const GROUPS = statement({
  text: `
    WITH looked AS MATERIALIZED (
      SELECT l.at, l.left_out, ${KIND} FROM request_log l WHERE ${MATCHES} ORDER BY l.at DESC, l.request_id DESC LIMIT $read
    ), stepped AS (
      SELECT *, coalesce(least(floor(${TREND_STEPS} * extract(epoch FROM at - min(at) OVER ()) / nullif(extract(epoch FROM max(at) OVER () - min(at) OVER ()), 0)),
        ${TREND_STEPS - 1}), ${TREND_STEPS - 1}) AS step
      FROM looked
    ), groups AS (
      SELECT ${KIND}, sum(left_out + 1) AS count, min(at) AS since, max(at) AS newest_at, ARRAY[${TREND}]::int[] AS trend
      FROM stepped GROUP BY ${KIND} ORDER BY newest_at DESC LIMIT $take
    )
    SELECT ${FIELDS}, g.count::float8 AS count, iso(g.since) AS since, g.trend, (SELECT count(*) FROM looked)::float8 AS looked
    FROM groups g CROSS JOIN LATERAL (
      SELECT * FROM request_log l
      WHERE l.store_id = $storeId AND l.at = g.newest_at AND l.installation_id IS NOT DISTINCT FROM g.installation_id
        AND (l.route, l.status, l."check", l.reason) = (g.route, g.status, g."check", g.reason)
      ORDER BY l.request_id DESC LIMIT 1
    ) l
    ORDER BY l.at DESC, l.request_id DESC`,
  parameters: { ...FILTER, read: 'int8', take: 'int8' },
  row: { ...COLUMNS, count: 'float8', since: 'text', trend: 'int4[]', looked: 'float8' },
});

export const GET_REFUSAL = statement({
  text: `SELECT ${FIELDS} FROM request_log l WHERE l.store_id = $storeId AND l.request_id = $id`,
  parameters: { storeId: 'uuid', id: 'uuid' },
  row: COLUMNS,
});

const OLD = olderThan('request_log', 'at');
export const PURGE_REFUSALS = { find: statement(findOldest(OLD)), end: statement(removal(OLD)) };
