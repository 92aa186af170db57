import type { AuditLog } from '../../../domain/ports/insight/audit-log.ts';
import type { Database } from '../connection/database.ts';
import { DAY_SECONDS, endOldest } from '../connection/purge.ts';
import {
  APPEND,
  BEGIN_CHAIN,
  COUNT_REFUSED,
  LIST_OF_ALL,
  LIST_OF_STORE,
  LIST_REFUSED_OF_ALL,
  LIST_REFUSED_OF_STORE,
  MOVE_HEAD,
  NO_WAIT,
  PURGE_AUDIT,
} from './audit-statements.ts';

export const auditLog = (database: Database): AuditLog => ({
  append: (entry) =>
    database.transaction((sql) => {
      sql.enqueue(NO_WAIT);
      sql.enqueue(BEGIN_CHAIN, entry);
      sql.enqueue(MOVE_HEAD, entry);
      sql.enqueue(APPEND, entry);
      return Promise.resolve();
    }),
  list: async ({ storeId, operatorId = null, since = null, isRefused = false }, { after, take }) => {
    const given = { operatorId, since, after, take: take + 1 };
    const [ofAll, ofStore] = isRefused ? [LIST_REFUSED_OF_ALL, LIST_REFUSED_OF_STORE] : [LIST_OF_ALL, LIST_OF_STORE];
    const rows = await (storeId === undefined ? database.rows(ofAll, given) : database.rows(ofStore, { storeId, ...given }));
    const items = rows.slice(0, take).map(({ answer, answeredAt, ...asked }) => ({
      ...asked,
      answer: answer === null || answeredAt === null ? null : { at: answeredAt, content: answer },
    }));
    return { items, next: rows.length > take ? (items.at(-1)?.id ?? null) : null };
  },
  countRefused: async (kind, hour, { listed, refused }) => {
    const [figures] = await database.rows(COUNT_REFUSED, { kind, hour, listed, refused });
    return figures ?? { listed, refused };
  },
  purge: (days, limit) => endOldest(database, PURGE_AUDIT, days * DAY_SECONDS, limit),
});
