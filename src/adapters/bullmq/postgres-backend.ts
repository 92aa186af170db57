import { DEFAULT_SCHEMA, PostgresConnection, PostgresQueueBackend } from 'bullmq';
import type { PostgresConnectionOptions } from 'bullmq';

import type { Backend, OnError } from './backend.ts';

/** For the short statements of the queues and the workers; a worker listens on one more. */
const CONNECTIONS = 3;
const TIMEOUT_MS = 5000;

/** BullMQ's tables are in a schema of their own. */
const SCHEMA = `-c search_path=${DEFAULT_SCHEMA}`;
/** A job that a crash of the server loses is asked for again from the rows, so none waits for the disk. */
const SETTINGS = `${SCHEMA} -c synchronous_commit=off`;

const withSettings = (databaseUrl: string, settings: string): string => {
  const url = new URL(databaseUrl);
  url.searchParams.set('options', `${url.searchParams.get('options') ?? ''} ${settings}`.trim());
  return url.href;
};

const connect = async (settings: PostgresConnectionOptions, onError: OnError): Promise<PostgresConnection> => {
  const connection = new PostgresConnection(settings);
  connection.on('error', onError);
  // As in openDatabase: while a connection is handed out nobody listens to it.
  connection.pool.on('connect', (client) => client.on('error', () => undefined));
  try {
    await connection.waitUntilReady();
  } catch (error) {
    await connection.close();
    throw error;
  }
  return connection;
};

/** Migrates BullMQ's schema, one node at a time. Throws where the database can't be reached. */
export const openPostgresBackend = async (databaseUrl: string, onError: OnError): Promise<Backend> => {
  const settings = {
    connectionString: withSettings(databaseUrl, SETTINGS),
    fallback_application_name: 'tenon queue',
    max: CONNECTIONS,
    // A connection made anew after a quiet minute would be the slowest part of the delivery after it.
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    keepAlive: true,
    schema: DEFAULT_SCHEMA,
  };
  // The tables do wait for the disk: nobody would make them again for a node that runs.
  const migration = { ...settings, connectionString: withSettings(databaseUrl, SCHEMA), max: 1, migrate: true };
  await (await connect(migration, onError)).close();
  const connection = await connect(settings, onError);
  return {
    // All share one connection that was ready once: one of BullMQ's own making that fails to connect at first fails for ever.
    factory: (topic, options, { withBlockingConnection = false } = {}) =>
      new PostgresQueueBackend(connection, topic, { ...options, connection: settings }, withBlockingConnection),
    close: () => connection.close(),
  };
};
