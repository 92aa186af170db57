import { DEFAULT_SCHEMA, PostgresConnection, PostgresQueueBackend } from 'bullmq';
import type { PostgresConnectionOptions } from 'bullmq';

import type { Backend, OnError } from './backend.ts';

/**
 * For the short statements of the queues and the workers. A worker listens on one more connection.
 */
const CONNECTIONS = 3;
const TIMEOUT_MS = 5000;
/**
 * As on Redis. BullMQ's default of an hour on PostgreSQL would be the sleep of a worker whose
 * LISTEN ended unnoticed.
 */
const MAX_BLOCK_SECONDS = 10;

/** BullMQ's tables are in a schema of their own. */
const SCHEMA = `-c search_path=${DEFAULT_SCHEMA}`;
/**
 * The sweep finds the work of a job that a crash of the server lost, so no job waits for the disk.
 */
const SETTINGS = `${SCHEMA} -c synchronous_commit=off`;

const withSettings = (databaseUrl: string, settings: string): string => {
  const url = new URL(databaseUrl);
  url.searchParams.set('options', `${url.searchParams.get('options') ?? ''} ${settings}`.trim());
  return url.href;
};

const connect = async (settings: PostgresConnectionOptions, onError: OnError): Promise<PostgresConnection> => {
  const connection = new PostgresConnection(settings);
  connection.on('error', onError);
  // As in openDatabase: a connection in use has no listener of the pool, and an unheard error would end the process.
  connection.pool.on('connect', (client) => client.on('error', () => undefined));
  try {
    await connection.waitUntilReady();
  } catch (error) {
    await connection.close();
    throw error;
  }
  return connection;
};

/** A backend decides how long its worker may block. BullMQ has no option for it. */
class BoundedPostgresBackend extends PostgresQueueBackend {
  override get maximumBlockTimeout(): number {
    return MAX_BLOCK_SECONDS;
  }
}

/** Migrates BullMQ's schema, one node at a time. Rejects when the database cannot be reached. */
export const openPostgresBackend = async (databaseUrl: string, onError: OnError): Promise<Backend> => {
  const settings = {
    connectionString: withSettings(databaseUrl, SETTINGS),
    fallback_application_name: 'tenon queue',
    max: CONNECTIONS,
    // A connection that is opened after a quiet minute would be the slowest part of the next delivery.
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    keepAlive: true,
    schema: DEFAULT_SCHEMA,
  };
  // The migration does wait for the disk: a running node would not create the tables again.
  const migration = { ...settings, connectionString: withSettings(databaseUrl, SCHEMA), max: 1, migrate: true };
  await (await connect(migration, onError)).close();
  const connection = await connect(settings, onError);
  return {
    // All share one connection that was ready once. One that BullMQ opens and that fails at first would fail forever.
    factory: (topic, options, { withBlockingConnection = false } = {}) =>
      new BoundedPostgresBackend(connection, topic, { ...options, connection: settings }, withBlockingConnection),
    close: () => connection.close(),
  };
};
