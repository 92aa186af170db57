import { CHECKS, MAX_KEPT } from '../../../domain/insight/refused-request.ts';
import { oneOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';

/**
 * A refusal is written and counted once, so the batch can be sent again when its answer was lost. Anyone can
 * invent hosts, so those of no store share what is kept of a reason. A batch may wait through an outage, and its
 * store be erased meanwhile: the lock keeps each store, in one order, until its rows are there for the erasure.
 */
export const WRITE = statement({
  text: `
  WITH present AS MATERIALIZED (
    SELECT id, domain FROM stores WHERE id = ANY ($storeIds) OR domain = ANY ($hosts) ORDER BY id FOR KEY SHARE
  ), given AS (
    SELECT r.*, coalesce(own.id, hosted.id) AS found
    FROM unnest($ids::uuid[], $times::float[], $storeIds::uuid[], $hosts::text[], $installationIds::uuid[], $routes::text[], $statuses::int[],
        $codes::text[], $reasons::text[], $checks::text[], $durations::float[], $leftOut::int[])
      AS r(id, at_ms, store_id, host, installation_id, route, status, code, reason, "check", duration_ms, left_out)
    LEFT JOIN present own ON own.id = r.store_id LEFT JOIN present hosted ON r.store_id IS NULL AND hosted.domain = r.host
    WHERE r.store_id IS NULL OR own.id IS NOT NULL
  ), numbered AS (
    SELECT *, row_number() OVER (PARTITION BY found IS NULL, reason ORDER BY at_ms, id) AS n FROM given
  ), written AS (
  INSERT INTO request_log (request_id, at, store_id, host, installation_id, route, status, code, reason, "check", duration_ms, left_out)
  SELECT id, to_timestamp(at_ms / 1000), found, CASE WHEN found IS NULL THEN host END, installation_id, route, status, code, reason, "check",
    duration_ms, left_out + CASE WHEN found IS NULL AND n = ${String(MAX_KEPT)} THEN (
      SELECT coalesce(sum(x.left_out + 1), 0)::int FROM numbered x WHERE x.found IS NULL AND x.reason = r.reason AND x.n > ${String(MAX_KEPT)}
    ) ELSE 0 END
  FROM numbered r WHERE found IS NOT NULL OR n <= ${String(MAX_KEPT)}
  ON CONFLICT (request_id) DO NOTHING
  RETURNING store_id, at, "check", reason, left_out
  )
  INSERT INTO refusal_figures AS f (store_id, "check", reason, unit, at, refusals)
  SELECT store_id, "check", reason, 'minute', date_trunc('minute', at) AS minute, sum(left_out + 1)::int
  FROM written WHERE store_id IS NOT NULL GROUP BY store_id, "check", reason, minute ORDER BY store_id, minute, "check", reason
  ON CONFLICT (store_id, at, unit, "check", reason) DO UPDATE SET refusals = f.refusals + excluded.refusals`,
  parameters: {
    ids: 'uuid[]',
    times: 'float8[]',
    storeIds: 'uuid?[]',
    hosts: 'text[]',
    installationIds: 'uuid?[]',
    routes: 'text[]',
    statuses: 'int4[]',
    codes: 'text?[]',
    reasons: 'text[]',
    checks: 'text[]',
    durations: 'float8[]',
    leftOut: 'int4[]',
  },
});

const FIELDS = `l.request_id AS id, iso(l.at) AS at, l.route, l.status, l.code, l.reason, l."check", l.store_id AS "storeId", l.host,
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
      AND ($route::text IS NULL OR $route IN (l.route, split_part(l.route, ' ', 2)))
    ORDER BY l.at DESC, l.request_id DESC LIMIT $take`,
  parameters: {
    storeId: 'uuid',
    since: 'timestamptz?',
    afterAt: 'timestamptz?',
    afterId: 'uuid?',
    installationId: 'uuid?',
    status: 'int4?',
    route: 'text?',
    take: 'int8',
  },
  row: COLUMNS,
});

export const GET = statement({
  text: `SELECT ${FIELDS} FROM request_log l WHERE l.request_id = $id`,
  parameters: { id: 'uuid' },
  row: COLUMNS,
});

export const PURGE = statement({
  text: `
    DELETE FROM request_log WHERE ctid = ANY (ARRAY(
      (SELECT ctid FROM request_log WHERE at < now() - make_interval(days => $days) ORDER BY at LIMIT $limit FOR UPDATE SKIP LOCKED)))`,
  parameters: { days: 'int4', limit: 'int8' },
});
