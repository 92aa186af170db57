import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import pg from 'pg';
import { PrismaPg } from '@prisma/adapter-pg';

import { OutcomeUnknown } from '../../domain/ports/transaction.ts';
import { PrismaClient } from '../../generated/prisma/client.ts';

/** Where SQL goes: the pool, or one transaction's connection. */
export interface Sql {
  /** Runs one prepared statement. `text` must be a constant, or one of few: each text stays prepared on its connection. */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** One transaction's connection. */
export interface TransactionSql extends Sql {
  /**
   * Sends one prepared statement without waiting for its answer: with what follows in the same turn, the COMMIT included, it is one write
   * and one wait. Statements are carried out in the order they were sent. One that fails ends the transaction, which throws its error.
   */
  send(text: string, values?: readonly unknown[]): Promise<void>;
}

export interface Database extends Sql {
  /**
   * Statements of all requests over one connection, where those of one turn of the event loop are one write: for the short ones of which
   * each request has one, since half of what they cost is the way there and back. One that waits for a lock would hold up all others.
   */
  readonly pipeline: Sql;
  /** Prisma's client over the same pool, for the plain reads and writes of single rows. */
  readonly prisma: PrismaClient;
  readonly pool: pg.Pool;
  transaction<T>(work: (sql: TransactionSql) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const names = new Map<string, string>();

const nameOf = (text: string): string => {
  let name = names.get(text);
  if (name === undefined) {
    name = createHash('sha1').update(text).digest('base64url');
    names.set(text, name);
  }
  return name;
};

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

const prepared = (text: string, values: readonly unknown[] = []) => ({ name: nameOf(text), text, values: [...values] });

const sqlOn = (client: pg.Pool | pg.PoolClient): Sql => ({
  query: async <Row extends object>(text: string, values?: readonly unknown[]) =>
    (await client.query<Row>(prepared(text, values))).rows,
});

/** A transaction's statements, of which those that were sent are not waited for one by one. */
class Flight implements TransactionSql {
  /** Of the first that was sent and failed: all after it only say that the transaction is aborted. */
  failure: Error | undefined;

  constructor(private readonly client: pg.PoolClient) {
    this.dispatch('BEGIN');
  }

  async query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]> {
    try {
      return (await this.client.query<Row>(prepared(text, values))).rows;
    } catch (error) {
      throw this.failure ?? error;
    }
  }

  send(text: string, values?: readonly unknown[]): Promise<void> {
    this.dispatch(prepared(text, values));
    return Promise.resolve();
  }

  private dispatch(query: string | pg.QueryConfig): void {
    const { stream } = this.client.connection;
    stream.cork();
    process.nextTick(() => {
      stream.uncork();
    });
    this.client.query(query).catch((error: unknown) => {
      this.failure ??= asError(error);
    });
  }
}

/** PostgreSQL said so itself; anything else that fails a COMMIT (a cut connection) leaves its outcome unknown. */
const isServerError = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code !== undefined && !error.code.startsWith('57P') && !error.code.startsWith('08');

const inTransaction = async <T>(pool: pg.Pool, work: (sql: TransactionSql) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  let broken: Error | undefined;
  // A connection that dies between two statements says so by an event; unheard it would end the process.
  const onError = (error: Error): void => {
    broken = error;
  };
  client.on('error', onError);
  try {
    const flight = new Flight(client);
    const value = await work(flight);
    try {
      await client.query('COMMIT');
    } catch (error) {
      if (isServerError(error)) throw error;
      broken = asError(error);
      throw new OutcomeUnknown('the answer to COMMIT was lost', { cause: error });
    }
    // The COMMIT of an aborted transaction is answered as if all were well.
    if (flight.failure !== undefined) throw flight.failure;
    return value;
  } catch (error) {
    if (broken === undefined) {
      await client.query('ROLLBACK').catch((failure: unknown) => {
        broken = asError(failure);
      });
    }
    throw error;
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
};

/**
 * Locks end with who took them. A process that was killed is noticed although its statement waits for a lock or computes: otherwise the
 * statement would be carried out to its end, and the locks of its transaction (an idempotency key's) held as long. Half a second, of the
 * two that a retry may wait. One that is stopped, or whose machine is gone, between two statements loses its transaction: otherwise a
 * fan-out's would hold up every removal of its store until it goes on. Ten seconds, longer than a transaction's own work between two.
 */
const SESSION = ['SET client_connection_check_interval = 500', 'SET idle_in_transaction_session_timeout = 10000'];

/** Not every system can (the server then refuses all but 0), nor PostgreSQL before 14 or every pooler before one: the connection is as good. */
const prepare = async (client: pg.ClientBase): Promise<void> => {
  for (const setting of SESSION) {
    await client.query(setting).catch((error: unknown) => {
      if (!(error instanceof pg.DatabaseError)) throw error;
    });
  }
};

const verify = (client: pg.PoolClient, done: (error?: Error) => void): void => {
  // As in a transaction: a connection that dies now says so by an event as well.
  const onError = (): void => undefined;
  client.on('error', onError);
  const end = (error?: Error): void => {
    client.off('error', onError);
    done(error);
  };
  prepare(client).then(
    () => {
      end();
    },
    (error: unknown) => {
      end(asError(error));
    },
  );
};

class Pipeline implements Sql {
  private client: Promise<pg.Client> | undefined;
  private corked = false;

  constructor(
    private readonly config: pg.ClientConfig,
    private readonly onError: (error: Error) => void,
  ) {}

  async query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]> {
    const client = await (this.client ??= this.connect());
    this.cork(client.connection.stream);
    return (await client.query<Row>(prepared(text, values))).rows;
  }

  async end(): Promise<void> {
    const client = await this.client?.catch(() => undefined);
    await client?.end();
  }

  /** Until all sockets that are ready have been read: what they ask leaves together. */
  private cork(stream: Writable): void {
    if (this.corked) return;
    this.corked = true;
    stream.cork();
    setImmediate(() => {
      this.corked = false;
      stream.uncork();
    });
  }

  /** What waits on a connection that breaks is refused with it; what comes next has a new one. */
  private connect(): Promise<pg.Client> {
    const client = new pg.Client(this.config);
    const connected = client
      .connect()
      .then(() => prepare(client))
      .then(() => client);
    const forget = (): void => {
      if (this.client === connected) this.client = undefined;
    };
    client.on('end', forget).on('error', (error) => {
      forget();
      this.onError(error);
    });
    connected.catch(forget);
    return connected;
  }
}

export interface DatabaseOptions {
  /** postgresql://... ; `?host=/path` names a Unix socket's directory. */
  readonly url: string;
  /** What PostgreSQL shows them as, where the URL has no application_name; `tenon` unless told. */
  readonly name?: string;
  /** Connections at most, beside the one that requests share; 20 unless told. */
  readonly connections?: number;
  /** Told of every idle connection that broke: the pool replaces it by itself. */
  readonly onIdleError?: (error: Error) => void;
}

/** Opens one pool that Prisma and the hand-written SQL share. Nothing is connected before the first statement. */
export const openDatabase = ({ url, name = 'tenon', connections = 20, onIdleError }: DatabaseOptions): Database => {
  const config = {
    connectionString: url,
    fallback_application_name: name,
    connectionTimeoutMillis: 10_000,
    // A firewall forgets a connection that is idle for long, and says nothing.
    keepAlive: true,
    // Statements are sent without waiting for the answers to those before.
    pipeline: true,
  };
  const pool = new pg.Pool({
    ...config,
    max: connections,
    // Each new one must plan its statements anew.
    idleTimeoutMillis: 60_000,
    verify,
  });
  const pipeline = new Pipeline(config, (error) => onIdleError?.(error));
  pool.on('error', (error) => onIdleError?.(error));
  // Between the pool's handing out and its user's first turn nobody listens, and an error that is not heard ends the process. What is asked
  // of such a connection next is refused with it.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool), transactionOptions: { maxWait: 10_000, timeout: 60_000 } });
  return {
    ...sqlOn(pool),
    pipeline,
    pool,
    prisma,
    transaction: (work) => inTransaction(pool, work),
    close: async () => {
      await pipeline.end();
      await prisma.$disconnect();
      await pool.end();
    },
  };
};
