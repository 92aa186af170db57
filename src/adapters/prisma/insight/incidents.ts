import type { Incidents, NewIncident } from '../../../domain/ports/insight/incidents.ts';
import { NO_STORE } from '../../../domain/ports/locator.ts';
import { isoTimeOrNull } from '../../../domain/time.ts';
import type { Database } from '../connection/database.ts';
import { byStore } from '../../../domain/by-store.ts';
import { FIND_STORE } from '../work/find-store.ts';
import {
  BEGIN,
  BEGIN_OF_SERVER,
  END,
  LIST,
  LIST_ALL,
  LOCK_RECORD,
  NOTE_END,
  OPEN,
  PURGE,
  RECORD,
  SEE,
} from './incident-statements.ts';

const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);

const given = (incidents: readonly NewIncident[]) => ({
  ids: idsOf(incidents),
  kinds: incidents.map(({ kind }) => kind),
  subjects: incidents.map(({ subject }) => subject),
  names: incidents.map(({ name }) => name),
  since: incidents.map(({ since }) => since),
  impacts: incidents.map(({ impact }) => impact),
  causes: incidents.map(({ cause }) => cause),
});

export const incidents = (database: Database): Incidents => ({
  open: () => database.rows(OPEN),
  begin: async (begun, channels = []) => {
    for (const [storeId, own] of byStore(begun)) {
      await database.execute(storeId === NO_STORE ? BEGIN_OF_SERVER : BEGIN, { storeId, ...given(own), channels });
    }
  },
  see: async (seen) => {
    for (const [storeId, own] of byStore(seen)) {
      await database.execute(SEE, { storeId, ids: idsOf(own), impacts: own.map(({ impact }) => impact) });
    }
  },
  end: async (keys) => {
    for (const [storeId, own] of byStore(keys)) {
      await database.transaction(async (sql) => {
        const ids = idsOf(await sql.rows(END, { storeId, ids: idsOf(own) }));
        if (ids.length > 0) await sql.execute(NOTE_END, { storeId, ids });
      });
    }
  },
  record: (past, channels = []) =>
    database.transaction(async (sql) => {
      await sql.execute(LOCK_RECORD);
      return (await sql.rows(RECORD, { ...past, channels })).length === 1;
    }),
  list: async (storeId, { status }, { after, take }) => {
    const isOpen = status === undefined ? null : status === 'open';
    const page = { isOpen, afterAt: isoTimeOrNull(after?.at), afterId: after?.id ?? null, take };
    if (storeId === null) return database.rows(LIST_ALL, page);
    const items = await database.rows(LIST, { storeId, ...page });
    const isThere = items.length > 0 || storeId === NO_STORE || (await database.execute(FIND_STORE, { storeId })) > 0;
    return isThere ? items : null;
  },
  purge: (days, limit) => database.execute(PURGE, { days, limit }),
});
