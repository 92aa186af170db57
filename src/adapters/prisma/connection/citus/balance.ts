import type pg from 'pg';

import type { Balancing } from '../../../storage/shards.ts';

/** A job of the coordinator, which continues after a restart, and tries a move that failed again. Null where no move is needed. */
const START = 'SELECT citus_rebalance_start() AS job';

const STOP = 'SELECT citus_rebalance_stop()';

/** The last job. Its counts are by the states of its moves. */
const STATUS = 'SELECT state::text, details FROM citus_rebalance_status(true)';

interface Task {
  readonly phase?: string;
  readonly message?: string | null;
  readonly size?: { readonly source: number; readonly target: number };
  readonly hosts?: { readonly source: string; readonly target: string };
}

interface Status {
  readonly state: string;
  readonly details: { readonly task_state_counts: Readonly<Record<string, number>> | null; readonly tasks: readonly Task[] };
}

const ENDED = ['finished', 'failed', 'cancelled'] as const;

export const startBalance = async (client: pg.ClientBase): Promise<boolean> => {
  const { rows } = await client.query<{ job: string | null }>(START);
  return Number(rows[0]?.job ?? 0) > 0;
};

export const stopBalance = async (client: pg.ClientBase): Promise<void> => {
  await client.query(STOP);
};

export const readBalance = async (client: pg.ClientBase): Promise<Balancing | null> => {
  const { rows } = await client.query<Status>(STATUS);
  const [status] = rows;
  if (status === undefined) return null;
  const { tasks, task_state_counts: counts } = status.details;
  return {
    state: ENDED.find((state) => state === status.state) ?? 'running',
    done: counts?.['done'] ?? 0,
    total: Object.values(counts ?? {}).reduce((sum, count) => sum + count, 0),
    moves: tasks.flatMap(({ hosts, size, phase }) =>
      hosts && size
        ? [{ from: hosts.source, to: hosts.target, phase: (phase ?? '').toLowerCase(), bytes: size.target, ofBytes: size.source }]
        : [],
    ),
    error: tasks.find(({ message }) => message)?.message ?? null,
  };
};
