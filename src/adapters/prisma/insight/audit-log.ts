import type { AuditLog } from '../../../domain/ports/insight/audit-log.ts';
import type { Sql } from '../connection/sql.ts';
import { APPEND, LIST_OF_ALL, LIST_OF_STORE, PURGE } from './audit-statements.ts';

export const auditLog = (sql: Sql): AuditLog => ({
  append: async (entry) => {
    await sql.execute(APPEND, entry);
  },
  list: async ({ storeId, operatorId = null, since = null }, { after, take }) => {
    const given = { operatorId, since, after, take: take + 1 };
    const rows =
      storeId === undefined ? await sql.rows(LIST_OF_ALL, given) : await sql.rows(LIST_OF_STORE, { storeId, ...given });
    const items = rows.slice(0, take).map(({ answer, answeredAt, ...asked }) => ({
      ...asked,
      answer: answer === null || answeredAt === null ? null : { at: answeredAt, content: answer },
    }));
    return { items, next: rows.length > take ? (items.at(-1)?.id ?? null) : null };
  },
  purge: (days, limit) => sql.execute(PURGE, { days, limit }),
});
