import { FORGET_SECONDS, type ProcessRole, type RecurringTask } from '../../../domain/insight/processes.ts';
import type { Processes } from '../../../domain/ports/insight/processes.ts';
import type { Database } from '../connection/database.ts';
import { olderAreConnected } from '../connection/older-processes.ts';
import { json, oneOf } from '../connection/sql-types.ts';
import type { TransactionSql } from '../connection/sql.ts';
import { statement } from '../connection/statement.ts';
import { NO_WAIT } from './audit-statements.ts';

const ROLES: readonly ProcessRole[] = ['all', 'api', 'worker'];

const BEAT = statement({
  text: `
    WITH forgotten AS (
      DELETE FROM processes WHERE seen_at <= statement_timestamp() - make_interval(secs => ${FORGET_SECONDS}) AND id <> $id
    )
    INSERT INTO processes (id, name, role, version, keys, sealing, tasks, started_at, seen_at)
    VALUES ($id, $name, $role, $version, $keys, $sealing, $tasks, now_ms(), statement_timestamp())
    ON CONFLICT (id) DO UPDATE SET
      keys = excluded.keys, sealing = excluded.sealing, tasks = excluded.tasks, seen_at = excluded.seen_at, ended_at = NULL`,
  parameters: {
    id: 'uuid',
    name: 'text',
    role: 'text',
    version: 'text',
    keys: 'text[]',
    sealing: 'text',
    tasks: 'jsonb',
  },
});

const LIST_PROCESSES = statement({
  text: `
    SELECT id, name, role, version, keys, sealing, tasks,
      greatest(extract(epoch FROM statement_timestamp() - started_at), 0)::float8 AS "secondsOld",
      greatest(extract(epoch FROM statement_timestamp() - seen_at), 0)::float8 AS "secondsUnseen", ended_at IS NOT NULL AS ended
    FROM processes WHERE seen_at > statement_timestamp() - make_interval(secs => ${FORGET_SECONDS})
    ORDER BY started_at, id`,
  row: {
    id: 'uuid',
    name: 'text',
    role: oneOf('text', ROLES),
    version: 'text',
    keys: 'text[]',
    sealing: 'text',
    tasks: json<readonly RecurringTask[]>('jsonb'),
    secondsOld: 'float8!',
    secondsUnseen: 'float8!',
    ended: 'bool!',
  },
});

const LEAVE = statement({
  text: 'UPDATE processes SET seen_at = statement_timestamp(), ended_at = statement_timestamp() WHERE id = $id',
  parameters: { id: 'uuid' },
});

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
