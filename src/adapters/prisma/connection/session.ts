import type pg from 'pg';

import { applyWhereKnown } from '../../postgres/end-with-client.ts';
import { watched } from '../../postgres/watched-pool.ts';
import type { Epochs } from './epochs.ts';
import { asError } from './sql.ts';

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
 * A process may be paused, or its machine lost, between two statements of a transaction. Its locks end then: otherwise
 * a fan-out would hold up every removal of its store until it continues. Ten seconds are longer than any work between
 * two statements.
 */
const END_IDLE = 'SET idle_in_transaction_session_timeout = 10000';

/** Applies the settings of a new connection. */
export const applySettings = async (client: pg.ClientBase, statementTimeoutMs: number | undefined): Promise<void> => {
  await applyWhereKnown(client, END_IDLE);
  if (statementTimeoutMs !== undefined) await applyWhereKnown(client, `SET statement_timeout = ${String(statementTimeoutMs)}`);
};

/** applySettings as the pool calls it. */
export const verifySession =
  (statementTimeoutMs: number | undefined, epochs: Epochs) =>
  (client: pg.PoolClient, done: (error?: Error) => void): void => {
    // A connection that dies now reports it by an event as well, as in a transaction.
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
