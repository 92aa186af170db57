import type { Processes } from '../../../domain/ports/insight/processes.ts';
import type { Database } from '../connection/database.ts';
import { olderAreConnected } from '../connection/older-processes.ts';
import { BEAT, LEAVE, LIST } from './process-statements.ts';

export const processes = (database: Pick<Database, 'rows' | 'execute'>): Processes => ({
  beat: async ({ tasks, ...process }) => {
    await database.execute(BEAT, { ...process, tasks: JSON.stringify(tasks) });
  },
  list: async () => ({ seen: await database.rows(LIST), older: await olderAreConnected(database) }),
  leave: async (id) => {
    await database.execute(LEAVE, { id });
  },
});
