import type pg from 'pg';

import { DatabaseUnavailable } from '../../../domain/ports/transaction.ts';
import { PRESENT_TIMELINE } from '../../postgres/timeline.ts';
import { pause } from '../../startup/deadline.ts';
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

/** A Citus cluster has it on each node, and an insertion needs them all. A process that starts while a worker is away finds it begun. */
const IS_BEGUN = 'SELECT FROM epochs WHERE server_start = $1';

/** Two processes may reach a server at once: the second waits for the commit of the first. It is not declared, since the table may not exist yet. */
const BEGIN_EPOCH = 'INSERT INTO epochs (server_start) VALUES ($1) ON CONFLICT (server_start) DO NOTHING';

/**
 * Waits for the standby. The row alone would not prove that the standby has it: a commit whose wait was cut off is shown as well.
 * This record waits in any case, for itself and for all before it.
 */
const WAIT_FOR_STANDBY = `SELECT pg_logical_emit_message(true, 'tenon', 'epoch')`;

/** A restore and an import bring a history that continues at another place as well. */
export const BEGIN_RESTORED_EPOCH = statement({ text: 'INSERT INTO epochs DEFAULT VALUES' });

const serverStartOf = async (client: pg.ClientBase): Promise<string | null> =>
  (await client.query<{ serverStart: string | null }>(SERVER_START)).rows[0]?.serverStart ?? null;

/** Begins the epoch of this server, unless it has begun, and waits for the standby. Null before the migrations. */
export const beginEpoch = async (client: pg.ClientBase): Promise<string | null> => {
  const serverStart = await serverStartOf(client);
  if (serverStart === null) return null;
  const { rowCount } = await client.query(IS_BEGUN, [serverStart]);
  if (rowCount === 0) await client.query(BEGIN_EPOCH, [serverStart]);
  await client.query(WAIT_FOR_STANDBY);
  return serverStart;
};

/** Begins the epoch of the server to which a connection of its own leads, and waits for the standby without an end. */
export type BeginEpoch = () => Promise<string | null>;

/** A new connection waits for this long since the epoch was begun. It then fails, as all after it do at once. */
const PATIENCE_MS = 1_000;
const NOT_YET = 'The epoch of the server is not committed yet';

interface Beginning {
  readonly serverStart: string;
  readonly done: Promise<void>;
  /** Rejects after PATIENCE_MS. */
  readonly late: Promise<never>;
}

/**
 * Start of the server that a process works with. Its epoch is committed before anything is answered
 * from it. With synchronous replication this commit waits for the standby, and so for all that was
 * committed before: a server that crashed between its own disk and the standby shows nothing as
 * done that may still be lost (docs/specification/feed.md, "Epochs"). While the standby is away
 * only one connection of the process waits: the server would keep each one that was given up, until
 * it has no more.
 */
export class Epochs {
  #met: string | null = null;
  #beginning: Beginning | null = null;

  constructor(private readonly begin: BeginEpoch) {}

  /**
   * For each new connection: rejects until the epoch of its server's start is committed. It costs a commit
   * for each start that the process has not seen last. Before the migrations there is none.
   */
  async meet(client: pg.ClientBase): Promise<void> {
    const serverStart = await serverStartOf(client);
    if (serverStart === null || serverStart === this.#met) return;
    // Another beginning may wait on a server that is not the primary any more.
    if (this.#beginning?.serverStart !== serverStart) this.#beginning = this.#begin(serverStart);
    await Promise.race([this.#beginning.done, this.#beginning.late]);
    if (serverStart !== this.#met) throw new DatabaseUnavailable(NOT_YET);
  }

  #begin(serverStart: string): Beginning {
    const done = this.begin().then((met) => {
      this.#met = met;
    });
    const late = pause(PATIENCE_MS, { isIdle: true }).then(() => {
      throw new DatabaseUnavailable(NOT_YET);
    });
    const beginning = { serverStart, done, late };
    done
      .catch(() => undefined)
      .finally(() => {
        if (this.#beginning === beginning) this.#beginning = null;
      });
    late.catch(() => undefined);
    return beginning;
  }
}

/** Epochs of a program that only looks: it answers nobody. */
export class NoEpochs extends Epochs {
  override meet(): Promise<void> {
    return Promise.resolve();
  }
}
