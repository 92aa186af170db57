import type { RequestLog } from '../../../domain/ports/insight/request-log.ts';
import { isoTimeOrNull } from '../../../domain/time.ts';
import type { Sql } from '../connection/sql.ts';
import { GET, LIST, PURGE, WRITE } from './request-log-statements.ts';
import { FIND_STORE } from '../work/find-store.ts';

export const requestLog = (sql: Sql): RequestLog => ({
  write: async (refusals) => {
    await sql.execute(WRITE, {
      ids: refusals.map((row) => row.id),
      times: refusals.map((row) => row.at),
      storeIds: refusals.map((row) => row.storeId),
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
  },
  list: async (storeId, { installationId, status, route, since }, { after, take }) => {
    const [stores, items] = await Promise.all([
      sql.execute(FIND_STORE, { storeId }),
      sql.rows(LIST, {
        storeId,
        since: isoTimeOrNull(since),
        afterAt: isoTimeOrNull(after?.at),
        afterId: after?.id ?? null,
        installationId: installationId ?? null,
        status: status ?? null,
        route: route ?? null,
        take,
      }),
    ]);
    return stores === 0 ? null : items;
  },
  get: async (id) => (await sql.rows(GET, { id }))[0] ?? null,
  purge: (days, limit) => sql.execute(PURGE, { days, limit }),
});
