import type pg from 'pg';

import { PRESENT_TIMELINE } from '../../postgres/timeline.ts';
import { statement } from './statement.ts';

/**
 * Names a history of this database. Another one after
 * - a promotion, which begins a timeline,
 * - a start of the server,
 * - a crash of one of its processes, after which the server recovers without a start: it then counts its
 *   statistics from the beginning (so does a person who resets them, which begins an epoch for nothing),
 * - a dump that is loaded into a server that runs on: the table is then another one.
 * Null before the migrations.
 */
const SERVER_START = `
  SELECT CASE WHEN to_regclass('epochs') IS NOT NULL THEN concat_ws('/', ${PRESENT_TIMELINE},
    extract(epoch FROM pg_postmaster_start_time()), extract(epoch FROM b.stats_reset), to_regclass('epochs')::oid) END AS "serverStart"
  FROM pg_stat_bgwriter b`;

/**
 * Begins the epoch of this history, and waits for the standby. Two processes may reach a server at
 * once: the second waits for the commit of the first. The row alone would not prove that the standby
 * has it: a commit whose wait was cut off is shown as well. So the record that follows it waits in
 * any case, for itself and for all before it. It is one simple query, and so one commit. It is not declared,
 * since the table may not exist yet.
 */
export const BEGIN_EPOCH = `
  INSERT INTO epochs (server_start)
  SELECT s."serverStart" FROM (${SERVER_START}) s WHERE NOT EXISTS (SELECT FROM epochs e WHERE e.server_start = s."serverStart")
  ON CONFLICT (server_start) DO NOTHING;
  SELECT pg_logical_emit_message(true, 'tenon', 'epoch')`;

/** A restore and an import bring a history that continues at another place as well. */
export const BEGIN_RESTORED_EPOCH = statement({ text: 'INSERT INTO epochs DEFAULT VALUES' });

const serverStartOf = async (client: pg.ClientBase): Promise<string | null> =>
  (await client.query<{ serverStart: string | null }>(SERVER_START)).rows[0]?.serverStart ?? null;

/** Of the server of this connection, unless it has begun. Nothing before the migrations. */
export const beginEpoch = async (client: pg.ClientBase): Promise<void> => {
  if ((await serverStartOf(client)) !== null) await client.query(BEGIN_EPOCH);
};

/**
 * Which start of the server a process works with. Its epoch is committed before anything is answered
 * from it. With synchronous replication this commit waits for the standby, and so for all that was
 * committed before: a server that crashed between its own disk and the standby shows nothing as done
 * that may still be lost (docs/specification/feed.md, "Epochs").
 */
export class Epochs {
  #serverStart: string | null = null;

  /** Another one since the server began again, or another server was promoted. */
  get serverStart(): string {
    return this.#serverStart ?? '';
  }

  /** For each new connection. It costs a commit for each start that the process has not seen last. Before the migrations there is none. */
  async meet(client: pg.ClientBase): Promise<void> {
    const serverStart = await serverStartOf(client);
    if (serverStart === null || serverStart === this.#serverStart) return;
    await client.query(BEGIN_EPOCH);
    this.#serverStart = serverStart;
  }
}
