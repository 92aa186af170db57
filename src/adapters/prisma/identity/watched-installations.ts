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
import { hasText, isBehind, PAGE_PARAMETERS, pageOf, pageValues } from '../connection/list-page.ts';
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

/** The newest rows of an installation, by the index of its own: a comparison of rows, as in delivery-search-statements.ts. */
const newest = (columns: string, table: string, at: string, since: string, end: string): string => `
      SELECT ${columns} FROM ${table} n
      WHERE n.store_id = p.store_id AND n.installation_id IS NOT NULL
        AND (n.installation_id, n.${at}) >= (p.id, ${since}) AND (n.installation_id, n.${at}) <= (p.id, ${end})
      ORDER BY n.installation_id DESC, n.${at} DESC LIMIT ${MAX_WATCHED}`;

const IS_COMPLETE = `count(*) < ${MAX_WATCHED} AS is_complete`;

const DELIVERIES = newest(
  'n.status, n.attempts > 0 AND n.error IS NOT NULL AS has_failed',
  'deliveries',
  'id',
  'uuid7_floor($since)',
  "'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid",
);
const REFUSALS = newest('n.left_out', 'request_log', 'at', '$since', "'infinity'");

/** The page comes first: what happened is looked up for its installations alone. */
const WATCH = statement({
  text: `
    WITH page AS MATERIALIZED (
      SELECT i.id, i.store_id, i.scopes, ${statusOf('i')} AS status, i.created_at, i.uninstalled_at,
        st.domain, st.name, st.status AS store_status, st.sandbox_app_id
      FROM ${MATCHING} AND ${isBehind('i')} ${pageOf('i')})
    SELECT p.id, p.store_id AS "storeId", p.scopes, p.status, iso(p.created_at) AS "createdAt", iso(p.uninstalled_at) AS "uninstalledAt",
      p.domain, p.name, p.store_status AS "storeStatus", p.sandbox_app_id AS "sandboxAppId",
      d.delivered, d.failing, d.waiting, d.is_complete AS "hasAllDeliveries", f.refusals, f.is_complete AS "hasAllRefusals"
    FROM page p
      CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE status = 'Delivered')::int AS delivered,
          count(*) FILTER (WHERE status = 'Failed' OR (status = 'Pending' AND has_failed))::int AS failing,
          count(*) FILTER (WHERE status = 'Pending' AND NOT has_failed)::int AS waiting, ${IS_COMPLETE}
        FROM (${DELIVERIES}) n) d
      CROSS JOIN LATERAL (SELECT coalesce(sum(left_out + 1), 0)::int AS refusals, ${IS_COMPLETE} FROM (${REFUSALS}) n) f
    ORDER BY p.created_at, p.id`,
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
    delivered: 'int4',
    failing: 'int4',
    waiting: 'int4',
    hasAllDeliveries: 'bool',
    refusals: 'int4',
    hasAllRefusals: 'bool',
  },
});

type Row = NonNullable<(typeof WATCH)['row']>;

const watchedOf = ({
  domain,
  name,
  storeStatus,
  sandboxAppId,
  delivered,
  failing,
  waiting,
  hasAllDeliveries,
  refusals,
  hasAllRefusals,
  ...installation
}: Row): WatchedInstallation => ({
  ...installation,
  store: installation.status === 'Uninstalled' ? null : { domain, name, status: storeStatus, sandboxAppId },
  deliveries: { delivered, failing, waiting, isComplete: hasAllDeliveries },
  refusals: { count: refusals, isComplete: hasAllRefusals },
});

export const watchInstallations = async (
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
