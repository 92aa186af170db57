import { keptOfNoStore, type KeptRefusal } from '../../../src/domain/insight/refused-request.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import { NO_STORE } from '../../../src/domain/ports/locator.ts';
import type { LoggedRefusal, RequestLog } from '../../../src/domain/ports/insight/request-log.ts';
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
    list: async (storeId, { installationId, status, check, reason, route, since = -Infinity }, { after, take }) => {
      if (!storesOf(state).has(storeId)) return null;
      const isBehind = (row: LoggedRefusal): boolean =>
        after === null || newestFirst({ ...row, at: isoTime(after.at), id: after.id }, row) < 0;
      return [...refusalsOf(state).values()]
        .filter((row) => row.storeId === storeId && Date.parse(row.at) >= since && isBehind(row))
        .filter((row) => installationId === undefined || row.installationId === installationId)
        .filter((row) => status === undefined || row.status === status)
        .filter((row) => (check === undefined || row.check === check) && (reason === undefined || row.reason === reason))
        .filter((row) => route === undefined || [row.route, row.route.split(' ')[1]].includes(route))
        .sort(newestFirst)
        .slice(0, take);
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
