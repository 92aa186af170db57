import { INSTALLATION_STATUSES } from '../../../domain/identity/installation.ts';
import { ALL_SCOPES } from '../../../domain/identity/scope.ts';
import { STORE_STATUSES } from '../../../domain/identity/store.ts';
import { placedPageOf, type PlacedPage, type PlacedPageOf } from '../../../domain/page.ts';
import {
  MAX_WATCHED,
  type WatchedInstallation,
  type WatchFilter,
} from '../../../domain/ports/identity/platform-app-repository.ts';
import { isoTime } from '../../../domain/time.ts';
import { hasText, isBehind, PAGE_PARAMETERS, pageClause, pageValues } from '../connection/list-page.ts';
import type { Sql } from '../connection/sql.ts';
import { oneOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';
import { statusOf } from '../work/installation-status.ts';

const MATCHING = `installations i JOIN stores st ON st.id = i.store_id
    WHERE i.app_id = $id AND NOT EXISTS (SELECT FROM store_erasures x WHERE x.store_id = i.store_id)
      AND ($q::text IS NULL OR i.status <> 'Uninstalled') AND ${hasText('st.name', 'st.domain')}`;
const FILTER = { id: 'uuid', q: 'text?' } as const;

const COUNT = statement({
  text: `SELECT count(*)::int AS total FROM ${MATCHING}`,
  parameters: FILTER,
  row: { total: 'int4' },
});

/** The newest rows of an installation, by the index of its own: a comparison of rows, as in delivery-search.ts. */
const newest = (columns: string, table: string, at: string, since: string, end: string): string => `
      SELECT ${columns} FROM ${table} n
      WHERE n.store_id = i.store_id AND n.installation_id IS NOT NULL
        AND (n.installation_id, n.${at}) >= (i.id, ${since}) AND (n.installation_id, n.${at}) <= (i.id, ${end})
      ORDER BY n.installation_id DESC, n.${at} DESC LIMIT ${MAX_WATCHED}`;

const DELIVERIES = newest(
  'n.status, n.attempts > 0 AND n.error IS NOT NULL AS has_failed',
  'deliveries',
  'id',
  'uuid7_floor($since)',
  "'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid",
);
const REFUSALS = newest('n.left_out', 'request_log', 'at', '$since', "'infinity'");

/**
 * Figures are looked up for the installations of the page alone: PostgreSQL leaves subqueries of
 * the select list until the rows are limited. They are arrays, in the order of `watchedOf`.
 */
const WATCH = statement({
  text: `
    SELECT i.id, i.store_id AS "storeId", i.scopes, ${statusOf('i')} AS status, iso(i.created_at) AS "createdAt", iso(i.uninstalled_at) AS "uninstalledAt",
      st.domain, st.name, st.status AS "storeStatus", st.sandbox_app_id AS "sandboxAppId",
      (SELECT ARRAY[
          count(*) FILTER (WHERE status = 'Delivered'),
          count(*) FILTER (WHERE status = 'Failed' OR (status = 'Pending' AND has_failed)),
          count(*) FILTER (WHERE status = 'Pending' AND NOT has_failed), count(*)]::int[]
        FROM (${DELIVERIES}) n) AS deliveries,
      (SELECT ARRAY[coalesce(sum(left_out + 1), 0), count(*)]::int[] FROM (${REFUSALS}) n) AS refusals
    FROM ${MATCHING} AND ${isBehind('i')} ${pageClause('i')}`,
  parameters: { ...FILTER, since: 'timestamptz', ...PAGE_PARAMETERS },
  row: {
    id: 'uuid',
    storeId: 'uuid',
    scopes: oneOf('text[]!', ALL_SCOPES),
    status: oneOf('text', INSTALLATION_STATUSES),
    createdAt: 'text',
    uninstalledAt: 'text?',
    domain: 'text',
    name: 'text',
    storeStatus: oneOf('text', STORE_STATUSES),
    sandboxAppId: 'uuid?',
    deliveries: 'int4[]!',
    refusals: 'int4[]!',
  },
});

type Row = NonNullable<(typeof WATCH)['row']>;

const watchedOf = ({
  domain,
  name,
  storeStatus,
  sandboxAppId,
  deliveries: [delivered = 0, failing = 0, waiting = 0, ofDeliveries = 0],
  refusals: [refused = 0, ofRefusals = 0],
  ...installation
}: Row): WatchedInstallation => ({
  ...installation,
  store: installation.status === 'Uninstalled' ? null : { domain, name, status: storeStatus, sandboxAppId },
  deliveries: { delivered, failing, waiting, isComplete: ofDeliveries < MAX_WATCHED },
  refusals: { count: refused, isComplete: ofRefusals < MAX_WATCHED },
});

export const readWatchedInstallations = async (
  sql: Sql,
  id: string,
  page: PlacedPage,
  { q, since }: WatchFilter,
): Promise<PlacedPageOf<WatchedInstallation>> => {
  const filter = { id, q: q ?? null };
  const [rows, [count]] = await Promise.all([
    sql.rows(WATCH, { ...filter, since: isoTime(since), ...pageValues(page) }),
    sql.rows(COUNT, filter),
  ]);
  return placedPageOf(rows.map(watchedOf), page, count?.total ?? 0);
};
