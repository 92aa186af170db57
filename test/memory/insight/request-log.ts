import { keptOfNoStore, TREND_STEPS, type KeptRefusal, type LoggedRefusal } from '../../../src/domain/insight/refused-request.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import { NO_STORE } from '../../../src/domain/ports/locator.ts';
import type { RefusalFilter, RefusalGroup, RequestLog } from '../../../src/domain/ports/insight/request-log.ts';
import { isoTime } from '../../../src/domain/time.ts';
import { storesOf } from '../identity/identity-tables.ts';
import { table, type MemoryState } from '../state.ts';
import { addFigures } from './figure-tables.ts';

const DAY_MS = 86_400_000;

export const refusalsOf = (state: MemoryState): Map<string, LoggedRefusal> => table<LoggedRefusal>(state, 'request_log');

const order = (a: string, b: string): number => (a === b ? 0 : a < b ? 1 : -1);
const newestFirst = (a: LoggedRefusal, b: LoggedRefusal): number => order(a.at, b.at) || order(a.id, b.id);

export const requestLog = (state: MemoryState, clock: Clock): RequestLog => {
  const storeOf = ({ storeId, host }: KeptRefusal): string | null =>
    storeId ?? [...storesOf(state).values()].find(({ domain }) => domain === host)?.id ?? null;

  const matching = (storeId: string, filter: RefusalFilter): LoggedRefusal[] => {
    const { installationId, status, check, reason, method, route, since = -Infinity } = filter;
    return [...refusalsOf(state).values()]
      .filter((row) => row.storeId === storeId && Date.parse(row.at) >= since)
      .filter((row) => installationId === undefined || row.installationId === installationId)
      .filter((row) => status === undefined || row.status === status)
      .filter((row) => (check === undefined || row.check === check) && (reason === undefined || row.reason === reason))
      .filter((row) => method === undefined || row.route.split(' ')[0] === method)
      .filter((row) => route === undefined || [row.route, row.route.split(' ')[1]].includes(route))
      .sort(newestFirst);
  };

  const keep = (row: KeptRefusal, storeId: string | null): void => {
    if (refusalsOf(state).has(row.id)) return;
    const { at, host, ...rest } = row;
    const of = [row.check, row.reason] as const;
    if (storeId !== null) addFigures(state, { storeId, unit: 'minute', at, of, counts: [1 + row.leftOut] });
    refusalsOf(state).set(row.id, { ...rest, at: isoTime(at), storeId, host: storeId === null ? host : null });
  };

  return {
    write: async (given) => {
      const refusals = given.filter(({ storeId }) => storeId === null || storesOf(state).has(storeId));
      for (const row of refusals) if (storeOf(row) !== null) keep(row, storeOf(row));
      for (const row of keptOfNoStore(refusals.filter((one) => storeOf(one) === null))) keep(row, null);
    },
    list: async (storeId, filter, { after, take }) => {
      if (!storesOf(state).has(storeId)) return null;
      const isBehind = (row: LoggedRefusal): boolean =>
        after === null || newestFirst({ ...row, at: isoTime(after.at), id: after.id }, row) < 0;
      return matching(storeId, filter).filter(isBehind).slice(0, take);
    },
    groups: async (storeId, filter, { read, take }) => {
      if (!storesOf(state).has(storeId)) return null;
      const looked = matching(storeId, filter).slice(0, read);
      const groups = new Map<string, RefusalGroup>();
      const [newestAt, oldestAt] = [looked[0], looked.at(-1)].map((row) => Date.parse(row?.at ?? ''));
      const stepOf = (at: number): number => {
        const part = (at - (oldestAt ?? 0)) / ((newestAt ?? 0) - (oldestAt ?? 0));
        return Number.isNaN(part) ? TREND_STEPS - 1 : Math.min(Math.floor(part * TREND_STEPS), TREND_STEPS - 1);
      };
      for (const row of looked) {
        const kind = JSON.stringify([row.installationId, row.route, row.status, row.check, row.reason]);
        const { newest, count, trend } = groups.get(kind) ?? { newest: row, count: 0, trend: Array<number>(TREND_STEPS).fill(0) };
        const own = row.leftOut + 1;
        const step = stepOf(Date.parse(row.at));
        groups.set(kind, { newest, count: count + own, since: row.at, trend: trend.with(step, (trend[step] ?? 0) + own) });
      }
      const items = [...groups.values()].slice(0, take);
      return { items, isComplete: looked.length < read && items.length < take };
    },
    get: async (storeId, id) => {
      const row = refusalsOf(state).get(id);
      return row && (row.storeId ?? NO_STORE) === storeId ? row : null;
    },
    purge: async (days, limit) => {
      const old = [...refusalsOf(state).values()]
        .filter(({ at }) => Date.parse(at) < clock.now() - days * DAY_MS)
        .slice(0, limit);
      for (const { id } of old) refusalsOf(state).delete(id);
      return old.length;
    },
  };
};
