import { FORGET_SECONDS, type ProcessRole, type RecurringTask } from '../../../domain/insight/processes.ts';
import { json, oneOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';

const ROLES: readonly ProcessRole[] = ['all', 'api', 'worker'];

export const BEAT = statement({
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

export const LIST_PROCESSES = statement({
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

export const LEAVE = statement({
  text: 'UPDATE processes SET seen_at = statement_timestamp(), ended_at = statement_timestamp() WHERE id = $id',
  parameters: { id: 'uuid' },
});
