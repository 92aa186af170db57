import type { AuditLog } from '../../../domain/ports/insight/audit-log.ts';
import type { Database } from '../connection/database.ts';
import { DAY_SECONDS, endOldest } from '../connection/purge.ts';
import { APPEND, BEGIN_CHAIN, LIST_OF_ALL, LIST_OF_STORE, MOVE_HEAD, NO_WAIT, PURGE } from './audit-statements.ts';

export const auditLog = (database: Database): AuditLog => ({
  append: (entry) =>
    database.transaction((sql) => {
      sql.enqueue(NO_WAIT);
      sql.enqueue(BEGIN_CHAIN, entry);
      sql.enqueue(MOVE_HEAD, entry);
      sql.enqueue(APPEND, entry);
      return Promise.resolve();
    }),
  list: async ({ storeId, operatorId = null, since = null }, { after, take }) => {
    const given = { operatorId, since, after, take: take + 1 };
    const rows =
      storeId === undefined ? await database.rows(LIST_OF_ALL, given) : await database.rows(LIST_OF_STORE, { storeId, ...given });
    const items = rows.slice(0, take).map(({ answer, answeredAt, ...asked }) => ({
      ...asked,
      answer: answer === null || answeredAt === null ? null : { at: answeredAt, content: answer },
    }));
    return { items, next: rows.length > take ? (items.at(-1)?.id ?? null) : null };
  },
  purge: (days, limit) => endOldest(database, PURGE, days * DAY_SECONDS, limit),
});
