import {
  type BackendFactory,
  createRedisBackend,
  assertSchemaCompatibility,
  DEFAULT_SCHEMA,
  LATEST_SCHEMA_VERSION,
  PostgresConnection,
  PostgresQueueBackend,
  runMigrations,
  SchemaMigrationRequiredError,
  type PgPool,
} from 'bullmq';
import type pg from 'pg';

import { Watch } from '../postgres/watch.ts';
import { openWatchedPool, watched } from '../postgres/watched-pool.ts';
import { FAILS_AT_ONCE, redisWaits } from '../redis/connection.ts';

export type BackendAddress = { readonly databaseUrl: string } | { readonly redisUrl: string };

/**
 * Called for an error of a connection, or of a piece of work, which is then named: `deliver:<id>`.
 */
export type OnError = (error: unknown, work?: string) => void;

export interface QueueBackend {
  readonly factory: BackendFactory;
  /** Rejects unless the storage of the queue takes a write. A standby and a full memory answer reads alone. */
  checkWrites(): Promise<void>;
  close(): Promise<void>;
}

/** Longer than a worker's command blocks. */
const WORKER_ANSWER_MS = 15_000;
const ANSWER_MS = 1_000;

/** A worker waits until Redis can be reached again. */
const workerOptions = { ...redisWaits(WORKER_ANSWER_MS), maxRetriesPerRequest: null };

/** A request for work fails at once, so that no HTTP request waits for it. The sweep finds the work. */
const queueOptions = { ...redisWaits(ANSWER_MS), ...FAILS_AT_ONCE };

/** A key that no queue has. Redis refuses it wherever it refuses a job. */
const WRITTEN = 'tenon:written';
const WRITTEN_MS = 60_000;

export const openRedisBackend = (url: string): QueueBackend => {
  const opened: ReturnType<typeof createRedisBackend>[] = [];
  let queue: (typeof opened)[number] | undefined;
  return {
    factory: (topic, options, role = {}) => {
      const works = role.withBlockingConnection === true;
      const backend = createRedisBackend(
        topic,
        // Only workers check the version: in a queue, a check that fails once would fail every later request.
        { ...options, connection: { url, ...(works ? workerOptions : queueOptions) }, skipVersionCheck: !works },
        role,
      );
      opened.push(backend);
      if (!works) queue ??= backend;
      return backend;
    },
    checkWrites: async () => {
      await (await queue?.client)?.set(WRITTEN, '', { PX: WRITTEN_MS });
    },
    // Forced, since an orderly end waits for an answer. The worker has already reported the errors of its own end.
    close: async () => {
      await Promise.allSettled(opened.map((backend) => backend.close(true)));
    },
  };
};

/** For the short statements of the queues and the workers, and one on which a worker listens. */
const CONNECTIONS = 4;
/** For each statement. A connection that is idle for as long proves that it is alive. */
const TIMEOUT_MS = 5000;
/**
 * Equals the value on Redis. BullMQ's default of an hour on PostgreSQL would be the sleep of a
 * worker whose LISTEN ended unnoticed.
 */
const MAX_BLOCK_SECONDS = 10;

/** BullMQ's tables are in a schema of their own. */
const SCHEMA = `SET search_path = ${DEFAULT_SCHEMA}`;
/**
 * The sweep finds the work of a job that a crash of the server lost, so no job waits for the disk.
 */
const SETTINGS = `${SCHEMA}; SET synchronous_commit = off`;

/**
 * A pool whose connections have the settings. They are set by statements: BullMQ's own pool sends
 * them as the startup parameter `options`, which a pooler refuses.
 */
const openPool = (databaseUrl: string, settings: string, max: number): pg.Pool =>
  openWatchedPool({
    connectionString: databaseUrl,
    fallback_application_name: 'tenon queue',
    max,
    // A connection that is opened after a quiet minute would be the slowest part of the next delivery.
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: TIMEOUT_MS,
    connectMs: TIMEOUT_MS,
    watch: new Watch({ limit: { ms: TIMEOUT_MS, isServers: true } }),
    beatMs: TIMEOUT_MS,
    keepAlive: true,
    verify: (client, done) => {
      watched(client)
        .prepare(async () => {
          await client.query(settings);
        })
        .then(() => done(), done);
    },
  });

const isMigrated = async (client: pg.PoolClient): Promise<boolean> => {
  try {
    return (await assertSchemaCompatibility(client, DEFAULT_SCHEMA)) >= LATEST_SCHEMA_VERSION;
  } catch (error) {
    if (error instanceof SchemaMigrationRequiredError) return false;
    throw error;
  }
};

/**
 * The migration does wait for the disk: a running node would not create the tables again. It writes
 * each time, also where it changes nothing, and so would wait for a standby that is away.
 */
const migrate = async (databaseUrl: string, onError: OnError): Promise<void> => {
  const pool = openPool(databaseUrl, SCHEMA, 1);
  pool.on('error', (error) => onError(error));
  try {
    const client = await pool.connect();
    try {
      if (!(await isMigrated(client))) await runMigrations(client, DEFAULT_SCHEMA);
    } finally {
      client.release();
    }
  } finally {
    await pool.end();
  }
};

/** A backend decides how long its worker may block. BullMQ has no option for it. */
class BoundedPostgresBackend extends PostgresQueueBackend {
  override get maximumBlockTimeout(): number {
    return MAX_BLOCK_SECONDS;
  }
}

/** Migrates BullMQ's schema. Rejects when the database cannot be reached. */
export const openPostgresBackend = async (databaseUrl: string, onError: OnError): Promise<QueueBackend> => {
  await migrate(databaseUrl, onError);
  const pool = openPool(databaseUrl, SETTINGS, CONNECTIONS);
  // BullMQ's types say less of a listener's return value than node-postgres has.
  const connection = new PostgresConnection(pool as unknown as PgPool);
  connection.on('error', onError);
  const close = async (): Promise<void> => {
    await connection.close();
    await pool.end();
  };
  try {
    await connection.waitUntilReady();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    // All share one connection that was ready once. One that BullMQ opens and that fails at first would fail forever.
    factory: (topic, options, { withBlockingConnection = false } = {}) =>
      new BoundedPostgresBackend(connection, topic, { ...options, connection: {} }, withBlockingConnection),
    // A standby and a read-only database refuse it, also where it finds no row. /readyz asks for the disk.
    checkWrites: async () => {
      await pool.query('UPDATE meta SET value = value WHERE false');
    },
    close,
  };
};
