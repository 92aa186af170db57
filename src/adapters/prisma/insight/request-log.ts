import { keptOfNoStore, type KeptRefusal } from '../../../domain/insight/refused-request.ts';
import type { RefusalFilter, RequestLog } from '../../../domain/ports/insight/request-log.ts';
import { NO_STORE } from '../../../domain/ports/locator.ts';
import { isoTimeOrNull } from '../../../domain/time.ts';
import type { Sql } from '../connection/sql.ts';
import { byStore } from '../../../domain/by-store.ts';
import { FIND_STORE } from '../work/find-store.ts';
import { GET, GROUPS, LIST, PURGE, STORES_OF_HOSTS, WRITE, WRITE_OF_NO_STORE } from './request-log-statements.ts';

const given = (refusals: readonly KeptRefusal[]) => ({
  ids: refusals.map((row) => row.id),
  times: refusals.map((row) => row.at),
  hosts: refusals.map((row) => row.host),
  installationIds: refusals.map((row) => row.installationId),
  routes: refusals.map((row) => row.route),
  statuses: refusals.map((row) => row.status),
  codes: refusals.map((row) => row.code),
  reasons: refusals.map((row) => row.reason),
  checks: refusals.map((row) => row.check),
  durations: refusals.map((row) => row.durationMs),
  leftOut: refusals.map((row) => row.leftOut),
});

const asParameters = (storeId: string, { since, ...filter }: RefusalFilter) => ({
  storeId,
  since: isoTimeOrNull(since),
  installationId: filter.installationId ?? null,
  status: filter.status ?? null,
  check: filter.check ?? null,
  reason: filter.reason ?? null,
  method: filter.method ?? null,
  route: filter.route ?? null,
});

/** With the store of each, by its host where no token named it. */
const located = async (sql: Sql, refusals: readonly KeptRefusal[]): Promise<(KeptRefusal & { readonly storeId: string })[]> => {
  const hosts = new Set(refusals.flatMap(({ storeId, host }) => (storeId === null ? [host] : [])));
  const rows = hosts.size === 0 ? [] : await sql.rows(STORES_OF_HOSTS, { hosts: [...hosts] });
  const stores = new Map(rows.map(({ host, storeId }) => [host, storeId]));
  return refusals.map((row) => ({ ...row, storeId: row.storeId ?? stores.get(row.host) ?? NO_STORE }));
};

export const requestLog = (sql: Sql): RequestLog => ({
  write: async (refusals) => {
    for (const [storeId, own] of byStore(await located(sql, refusals))) {
      if (storeId === NO_STORE) await sql.execute(WRITE_OF_NO_STORE, { storeId, ...given(keptOfNoStore(own)) });
      else await sql.execute(WRITE, { storeId, ...given(own) });
    }
  },
  list: async (storeId, filter, { after, take }) => {
    const [stores, items] = await Promise.all([
      sql.execute(FIND_STORE, { storeId }),
      sql.rows(LIST, {
        ...asParameters(storeId, filter),
        afterAt: isoTimeOrNull(after?.at),
        afterId: after?.id ?? null,
        take,
      }),
    ]);
    return stores === 0 ? null : items;
  },
  groups: async (storeId, filter, { read, take }) => {
    const [stores, rows] = await Promise.all([
      sql.execute(FIND_STORE, { storeId }),
      sql.rows(GROUPS, { ...asParameters(storeId, filter), read, take }),
    ]);
    if (stores === 0) return null;
    const items = rows.map(({ count, since, trend, looked: _, ...newest }) => ({ newest, count, since, trend }));
    return { items, isComplete: (rows[0]?.looked ?? 0) < read && rows.length < take };
  },
  get: async (storeId, id) => (await sql.rows(GET, { storeId, id }))[0] ?? null,
  purge: (days, limit) => sql.execute(PURGE, { days, limit }),
});
