import { keptOfNoStore, type KeptRefusal } from '../../../domain/insight/refused-request.ts';
import type { RefusalFilter, RequestLog } from '../../../domain/ports/insight/request-log.ts';
import { NO_STORE } from '../../../domain/ports/locator.ts';
import { isoTimeOrNull } from '../../../domain/time.ts';
import { DAY_SECONDS, endOldest } from '../connection/purge.ts';
import type { Database } from '../connection/database.ts';
import type { Sql, TransactionSql } from '../connection/sql.ts';
import { byStore } from '../../../domain/store-key.ts';
import { FIND_STORE } from '../work/find-store.ts';
import {
  COUNT_REFUSALS,
  GET_REFUSAL,
  GROUPS,
  LIST_REFUSALS,
  PURGE_REFUSALS,
  STORES_OF_HOSTS,
  WRITE,
  WRITE_OF_NO_STORE,
} from './request-log-statements.ts';

const given = (refusals: readonly KeptRefusal[]) => ({
  ids: refusals.map((row) => row.id),
  times: refusals.map((row) => row.at),
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

const writeAndCount = async (sql: TransactionSql, storeId: string, refusals: readonly KeptRefusal[]): Promise<void> => {
  const written = await sql.rows(WRITE, { storeId, ...given(refusals) });
  sql.enqueue(COUNT_REFUSALS, { storeId, ids: written.map(({ id }) => id) });
};

export const requestLog = (database: Database): RequestLog => ({
  write: async (refusals) => {
    for (const [storeId, own] of byStore(await located(database, refusals))) {
      await database.transaction(async (sql) => {
        if (storeId === NO_STORE) for (const row of keptOfNoStore(own)) sql.enqueue(WRITE_OF_NO_STORE, { ...row, storeId });
        else await writeAndCount(sql, storeId, own);
      });
    }
  },
  list: async (storeId, filter, { after, take }) => {
    const [stores, items] = await Promise.all([
      database.execute(FIND_STORE, { storeId }),
      database.rows(LIST_REFUSALS, {
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
      database.execute(FIND_STORE, { storeId }),
      database.rows(GROUPS, { ...asParameters(storeId, filter), read, take }),
    ]);
    if (stores === 0) return null;
    const items = rows.map(({ count, since, trend, looked: _, ...newest }) => ({ newest, count, since, trend }));
    return { items, isComplete: (rows[0]?.looked ?? 0) < read && rows.length < take };
  },
  get: async (storeId, id) => (await database.rows(GET_REFUSAL, { storeId, id }))[0] ?? null,
  purge: (days, limit) => endOldest(database, PURGE_REFUSALS, days * DAY_SECONDS, limit),
});
