import pg from 'pg';

import { PRESENT_TIMELINE } from '../../postgres/timeline.ts';
import { statement } from './statement.ts';

const NEXT_NUMBER = '(SELECT coalesce(max(number), -1) + 1 FROM epochs)';

/**
 * Two processes may reach a server at once: the second waits for the commit of the first. It is not
 * declared, since it also runs where the table does not exist yet.
 */
const BEGIN_EPOCH = `
  INSERT INTO epochs (number, timeline, started_at)
  SELECT ${NEXT_NUMBER}, s.timeline, s.started_at
  FROM (SELECT ${PRESENT_TIMELINE} AS timeline, pg_postmaster_start_time() AS started_at) s
  WHERE NOT EXISTS (SELECT FROM epochs e WHERE e.timeline = s.timeline AND e.started_at = s.started_at)
  ON CONFLICT DO NOTHING`;

/**
 * The row alone would not prove that the standby has it: a commit whose wait was cut off is shown as
 * well. This record waits again, for itself and so for all before it.
 */
const WAIT_FOR_STANDBY = `SELECT pg_logical_emit_message(true, 'tenon', 'epoch')`;

/** A restore and an import bring a history that continues at another place as well. */
export const BEGIN_RESTORED_EPOCH = statement({
  text: `INSERT INTO epochs (number, timeline, started_at) SELECT ${NEXT_NUMBER}, ${PRESENT_TIMELINE}, clock_timestamp()`,
});

/** PostgreSQL does not know a table of this name. */
const UNDEFINED_TABLE = '42P01';

/** Begins the epoch of this start of the server, unless it has one. False before the migrations. */
export const beginEpoch = async (client: pg.ClientBase): Promise<boolean> => {
  try {
    await client.query(BEGIN_EPOCH);
    await client.query(WAIT_FOR_STANDBY);
    return true;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === UNDEFINED_TABLE) return false;
    throw error;
  }
};

/**
 * Which start of the server a process works with. Its epoch is committed before anything is answered
 * from it. With synchronous replication this commit waits for the standby, and so for all that was
 * committed before: a server that crashed between its own disk and the standby shows nothing as done
 * that may still be lost (docs/specification/feed.md, "Epochs").
 */
export class Epochs {
  #serverStart = '';

  /** Another one since the server began again, or another server was promoted. */
  get serverStart(): string {
    return this.#serverStart;
  }

  /** For each new connection. It costs a statement for each start that the process has not seen last. */
  async meet(client: pg.ClientBase, serverStart: string | null): Promise<void> {
    if (serverStart !== null && serverStart === this.#serverStart) return;
    if (await beginEpoch(client)) this.#serverStart = serverStart ?? '';
  }
}
