import { CHECKS } from '../../../domain/insight/refused-request.ts';
import { NO_STORE } from '../../../domain/ports/locator.ts';
import { oneOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';

/** The stores of these hosts. */
export const STORES_OF_HOSTS = statement({
  text: 'SELECT id AS "storeId", domain AS host FROM stores WHERE domain = ANY ($hosts)',
  parameters: { hosts: 'text[]' },
  row: { storeId: 'uuid', host: 'text' },
});

const COLUMNS_OF_ALL = 'installation_id, route, status, code, reason, "check", duration_ms, left_out';

const GIVEN = `unnest($ids::uuid[], $times::float[], $hosts::text[], $installationIds::uuid[], $routes::text[], $statuses::int[],
      $codes::text[], $reasons::text[], $checks::text[], $durations::float[], $leftOut::int[])
    AS r(id, at_ms, host, installation_id, route, status, code, reason, "check", duration_ms, left_out)`;

const GIVEN_PARAMETERS = {
  storeId: 'uuid',
  ids: 'uuid[]',
  times: 'float8[]',
  hosts: 'text[]',
  installationIds: 'uuid?[]',
  routes: 'text[]',
  statuses: 'int4[]',
  codes: 'text?[]',
  reasons: 'text[]',
  checks: 'text[]',
  durations: 'float8[]',
  leftOut: 'int4[]',
} as const;

/**
 * A refusal is written and counted once, so the batch can be sent again when its answer was lost. A batch may wait
 * through an outage, and its store be erased meanwhile: the lock keeps the store until its rows are there for the erasure.
 */
export const WRITE = statement({
  text: `
  WITH present AS MATERIALIZED (
    SELECT id FROM stores WHERE id = $storeId FOR KEY SHARE
  ), written AS (
  INSERT INTO request_log (store_id, request_id, at, ${COLUMNS_OF_ALL})
  SELECT present.id, r.id, to_timestamp(r.at_ms / 1000), ${COLUMNS_OF_ALL} FROM present CROSS JOIN ${GIVEN}
  ON CONFLICT DO NOTHING
  RETURNING store_id, at, "check", reason, left_out
  )
  INSERT INTO refusal_figures AS f (store_id, "check", reason, unit, at, refusals)
  SELECT store_id, "check", reason, 'minute', date_trunc('minute', at) AS minute, sum(left_out + 1)::int
  FROM written GROUP BY store_id, "check", reason, minute ORDER BY minute, "check", reason
  ON CONFLICT (store_id, at, unit, "check", reason) DO UPDATE SET refusals = f.refusals + excluded.refusals`,
  parameters: GIVEN_PARAMETERS,
});

/** Of no store ($storeId is NO_STORE): there is no row to lock, and nothing is counted. */
export const WRITE_OF_NO_STORE = statement({
  text: `
  INSERT INTO request_log (store_id, request_id, at, host, ${COLUMNS_OF_ALL})
  SELECT $storeId, r.id, to_timestamp(r.at_ms / 1000), r.host, ${COLUMNS_OF_ALL} FROM ${GIVEN}
  ON CONFLICT DO NOTHING`,
  parameters: GIVEN_PARAMETERS,
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

/**
 * One statement for all filters: each of them walks the same index from the newest, between two
 * places.
 */
export const LIST = statement({
  text: `
    SELECT ${FIELDS} FROM request_log l
    WHERE l.store_id = $storeId AND l.at >= coalesce($since::timestamptz, '-infinity')
      AND (l.at, l.request_id) < (coalesce($afterAt::timestamptz, 'infinity'), coalesce($afterId::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
      AND ($installationId::uuid IS NULL OR l.installation_id = $installationId) AND ($status::int IS NULL OR l.status = $status)
      AND ($check::text IS NULL OR l."check" = $check) AND ($reason::text IS NULL OR l.reason = $reason)
      AND ($route::text IS NULL OR $route IN (l.route, split_part(l.route, ' ', 2)))
    ORDER BY l.at DESC, l.request_id DESC LIMIT $take`,
  parameters: {
    storeId: 'uuid',
    since: 'timestamptz?',
    afterAt: 'timestamptz?',
    afterId: 'uuid?',
    installationId: 'uuid?',
    status: 'int4?',
    check: 'text?',
    reason: 'text?',
    route: 'text?',
    take: 'int8',
  },
  row: COLUMNS,
});

export const GET = statement({
  text: `SELECT ${FIELDS} FROM request_log l WHERE l.store_id = $storeId AND l.request_id = $id`,
  parameters: { storeId: 'uuid', id: 'uuid' },
  row: COLUMNS,
});

export const PURGE = statement({
  text: `
    DELETE FROM request_log WHERE ctid = ANY (ARRAY(
      (SELECT ctid FROM request_log WHERE at < now() - make_interval(days => $days) ORDER BY at LIMIT $limit FOR UPDATE SKIP LOCKED)))`,
  parameters: { days: 'int4', limit: 'int8' },
});
