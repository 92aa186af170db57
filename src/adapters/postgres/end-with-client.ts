import pg from 'pg';

/** Half a second, of the two seconds that a retry may wait. */
const CHECK_CLIENT = 'SET client_connection_check_interval = 500';

/**
 * Applies a setting to a new connection. Some systems support only 0 for a setting, and neither
 * PostgreSQL before 14 nor every pooler knows all: the connection works without it.
 */
export const applyWhereKnown = async (client: pg.ClientBase, setting: string): Promise<void> => {
  await client.query(setting).catch((error: unknown) => {
    if (!(error instanceof pg.DatabaseError)) throw error;
  });
};

/**
 * Ends the work of a connection with its client, which may be killed, or leave the server for
 * another primary. Otherwise the server would carry the statement out to its end, or wait for a
 * lock as long as a commit waits for its standby, and keep the locks of its transaction (an
 * idempotency key's) for as long.
 */
export const endWithClient = (client: pg.ClientBase): Promise<void> => applyWhereKnown(client, CHECK_CLIENT);
