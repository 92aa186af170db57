import pg from 'pg';

import { watched } from '../../postgres/watched-pool.ts';
import type { Epochs } from './epochs.ts';
import { asError } from './sql.ts';

/**
 * Locks end with the process that took them.
 * - A process may be killed while its statement waits for a lock or computes. Otherwise the server
 *   would carry the statement out to its end, and keep the locks of its transaction (an idempotency
 *   key's) for as long. Half a second, of the two seconds that a retry may wait.
 * - A process may be paused, or its machine lost, between two statements of a transaction.
 *   Otherwise a fan-out would hold up every removal of its store until it continues. Ten seconds
 *   are longer than any work between two statements.
 */
const SETTINGS = ['SET client_connection_check_interval = 500', 'SET idle_in_transaction_session_timeout = 10000'];

/**
 * For a connection whose statements all look rows up by a key. With the statistics of a table that
 * was nearly empty, PostgreSQL plans a scan of the whole table, and a connection keeps that plan
 * until the table is analysed again: 10,000 rows later a look-up takes 1.4 ms instead of 0.03. The
 * worker analyses such a table within a second (growing-tables.ts), and until then no request on
 * this connection holds up the others. PostgreSQL before 18 gives a scan that is off a high cost,
 * for which it would compile the statement.
 */
export const LOOKS_UP_BY_KEY = 'SET enable_seqscan = off; SET jit = off';

/**
 * Applies the settings of a new connection. Some systems support only 0 for the first, and neither
 * PostgreSQL before 14 nor every pooler knows both: the connection works without them.
 */
export const applySettings = async (client: pg.ClientBase, statementTimeoutMs: number | undefined): Promise<void> => {
  const timeout = statementTimeoutMs === undefined ? [] : [`SET statement_timeout = ${String(statementTimeoutMs)}`];
  for (const setting of [...SETTINGS, ...timeout]) {
    await client.query(setting).catch((error: unknown) => {
      if (!(error instanceof pg.DatabaseError)) throw error;
    });
  }
};

/** applySettings as the pool calls it. */
export const verify =
  (statementTimeoutMs: number | undefined, epochs: Epochs) =>
  (client: pg.PoolClient, done: (error?: Error) => void): void => {
    // As in a transaction: a connection that dies now reports it by an event as well.
    const onError = (): void => undefined;
    client.on('error', onError);
    const end = (error?: Error): void => {
      client.off('error', onError);
      done(error);
    };
    watched(client)
      .prepare(async () => {
        await applySettings(client, statementTimeoutMs);
        await epochs.meet(client);
      })
      .then(
        () => {
          end();
        },
        (error: unknown) => {
          end(asError(error));
        },
      );
  };
