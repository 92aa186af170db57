import type { Processes } from '../../../domain/ports/insight/processes.ts';
import type { Database } from '../connection/database.ts';
import { olderAreConnected } from '../connection/older-processes.ts';
import type { TransactionSql } from '../connection/sql.ts';
import { NO_WAIT } from './audit-statements.ts';
import { BEAT, LEAVE, LIST_PROCESSES } from './process-statements.ts';

export const processes = (database: Pick<Database, 'rows' | 'transaction'>): Processes => {
  /** A process lives as well while a standby is away for which commits wait. */
  const note = (write: (sql: TransactionSql) => Promise<unknown>): Promise<void> =>
    database.transaction(async (sql) => {
      await sql.execute(NO_WAIT);
      await write(sql);
    });
  return {
    beat: ({ tasks, ...process }) => note((sql) => sql.execute(BEAT, { ...process, tasks: JSON.stringify(tasks) })),
    list: async () => ({ seen: await database.rows(LIST_PROCESSES), older: await olderAreConnected(database) }),
    leave: (id) => note((sql) => sql.execute(LEAVE, { id })),
  };
};
