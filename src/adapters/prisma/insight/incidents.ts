import type { Incidents, NewIncident } from '../../../domain/ports/insight/incidents.ts';
import { NO_STORE } from '../../../domain/ports/locator.ts';
import { isoTimeOrNull } from '../../../domain/time.ts';
import type { Database } from '../connection/database.ts';
import { DAY_SECONDS, endOldest } from '../connection/purge.ts';
import { byStore } from '../../../domain/store-key.ts';
import { FIND_STORE } from '../work/find-store.ts';
import {
  BEGIN_INCIDENT,
  BEGIN_OF_SERVER,
  END_INCIDENT,
  LIST_INCIDENTS,
  LIST_ALL,
  LOCK_RECORD,
  INSERT_INCIDENT_NOTICES,
  NOTE_END,
  OPEN_INCIDENTS,
  OVERLAPPING,
  PURGE_INCIDENTS,
  RECORD,
  TOUCH_INCIDENTS,
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
  open: () => database.rows(OPEN_INCIDENTS),
  begin: async (begun, channels = []) => {
    for (const [storeId, own] of byStore(begun)) {
      await database.transaction((sql) => {
        if (storeId === NO_STORE) for (const one of own) sql.enqueue(BEGIN_OF_SERVER, one);
        else sql.enqueue(BEGIN_INCIDENT, { storeId, ...given(own) });
        sql.enqueue(INSERT_INCIDENT_NOTICES, { storeId, ids: idsOf(own), phase: 'begin', channels });
        return Promise.resolve();
      });
    }
  },
  see: async (seen) => {
    for (const [storeId, own] of byStore(seen)) {
      await database.execute(TOUCH_INCIDENTS, { storeId, ids: idsOf(own), impacts: own.map(({ impact }) => impact) });
    }
  },
  end: async (keys) => {
    for (const [storeId, own] of byStore(keys)) {
      await database.transaction(async (sql) => {
        const ids = idsOf(await sql.rows(END_INCIDENT, { storeId, ids: idsOf(own) }));
        if (ids.length > 0) await sql.execute(NOTE_END, { storeId, ids });
      });
    }
  },
  record: (past, channels = []) =>
    database.transaction(async (sql) => {
      await sql.execute(LOCK_RECORD);
      if ((await sql.execute(OVERLAPPING, past)) > 0) return false;
      sql.enqueue(RECORD, past);
      sql.enqueue(INSERT_INCIDENT_NOTICES, { storeId: past.storeId, ids: [past.id], phase: 'end', channels });
      return true;
    }),
  list: async (storeId, { status }, { after, take }) => {
    const isOpen = status === undefined ? null : status === 'open';
    const page = { isOpen, afterAt: isoTimeOrNull(after?.at), afterId: after?.id ?? null, take };
    if (storeId === null) return database.rows(LIST_ALL, page);
    const items = await database.rows(LIST_INCIDENTS, { storeId, ...page });
    const isThere = items.length > 0 || storeId === NO_STORE || (await database.execute(FIND_STORE, { storeId })) > 0;
    return isThere ? items : null;
  },
  purge: (days, limit) => endOldest(database, PURGE_INCIDENTS, days * DAY_SECONDS, limit),
});
