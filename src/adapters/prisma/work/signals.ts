import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** A statement that is not answered in this time ends the connection. Its locks are lost then, long before a stop ends it from outside. */
const ANSWER_MS = 2_000;
const BEAT_MS = 500;
/** For this long after its last answer the connection counts as alive. */
const FRESH_MS = 2_000;
/** A server that does not answer is given this long to end the connection in order. */
const END_MS = 1_000;

const CHANNEL = 'tenon_stop';

export interface SignalsOptions {
  readonly url: string;
  readonly onStop: (scope: string) => void;
  /** Called once, at the moment the connection ends. Null when it was closed on purpose. */
  readonly onEnd: (error: Error | null) => void;
}

/** The one connection of this process that has the session locks and receives stops. It is not in the pool, so a busy pool delays neither. */
export interface Signals {
  /** A statement that fails ends the connection, since no client's input can make one fail. */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Reports a stop to all processes, this one included. */
  announceStop(scope: string): Promise<void>;
  /** Whether the server had this connection, with its locks, in the last two seconds, by a clock that runs while the process is paused. */
  isFresh(): boolean;
  close(): Promise<void>;
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** Rejects when no connection can be opened. */
export const openSignals = async ({ url, onStop, onEnd }: SignalsOptions): Promise<Signals> => {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'tenon signals',
    connectionTimeoutMillis: 5_000,
    query_timeout: ANSWER_MS,
    keepAlive: true,
    // Many statements come at once. Each is sent at once, and each is a transaction by itself.
    pipeline: true,
  });
  let provenAt = -Infinity;
  let ended = false;
  let isBeating = true;
  const beat = setInterval(() => {
    if (isBeating) return;
    isBeating = true;
    query('SELECT').then(
      () => (isBeating = false),
      // The connection has ended with it.
      () => undefined,
    );
  }, BEAT_MS).unref();

  const end = (): void => {
    ended = true;
    clearInterval(beat);
  };
  const lose = (error: unknown): void => {
    if (ended) return;
    end();
    // Destroyed, not ended: an orderly end would wait behind the statement that is not answered.
    client.connection.stream.destroy();
    onEnd(asError(error));
  };
  const query = async <Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
    // The server had the connection when it answered, and so when the statement was sent.
    const sentAt = performance.now();
    try {
      const { rows } = await client.query<Row>(text, [...values]);
      provenAt = Math.max(provenAt, sentAt);
      return rows;
    } catch (error) {
      lose(error);
      throw error;
    }
  };

  client.on('error', lose);
  client.on('end', () => {
    lose(new Error('the connection was closed'));
  });
  client.on('notification', ({ payload }) => {
    onStop(payload ?? '');
  });
  try {
    await client.connect();
  } catch (error) {
    // No lock was taken yet, so only the caller hears of it.
    end();
    client.connection.stream.destroy();
    throw error;
  }
  await query(`LISTEN ${CHANNEL}`);
  isBeating = false;

  return {
    query,
    announceStop: async (scope) => {
      await query('SELECT pg_notify($1, $2)', [CHANNEL, scope]);
    },
    isFresh: () => !ended && performance.now() - provenAt <= FRESH_MS,
    close: async () => {
      if (ended) return;
      end();
      onEnd(null);
      const limit = new AbortController();
      await Promise.race([client.end(), pause(END_MS, undefined, { signal: limit.signal }).catch(() => undefined)]);
      limit.abort();
    },
  };
};
