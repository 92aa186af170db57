import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** A statement that isn't answered within this ends the connection: what it held is lost then, long before a stop ends it from outside. */
const ANSWER_MS = 2_000;
const BEAT_MS = 500;
/** So long after the last proof the connection counts as there. */
const FRESH_MS = 2_000;
/** A goodbye that nobody hears is not waited for. */
const GOODBYE_MS = 1_000;

const CHANNEL = 'tenon_stop';

export interface SignalsOptions {
  readonly url: string;
  readonly onStop: (gate: string) => void;
  /** Told once, in the moment the connection ends; null when it was closed on purpose. */
  readonly onEnd: (error: Error | null) => void;
}

/** The one connection of this process that holds session locks and hears stops, beside the pool: a busy pool delays neither. */
export interface Signals {
  /** What fails ends the connection: every statement here is of this program's own making. */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Tells all processes, this one included. */
  stop(gate: string): Promise<void>;
  /** Whether the server had this connection, with its locks, in the last two seconds. By a clock that runs on while the process is stopped. */
  isFresh(): boolean;
  close(): Promise<void>;
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** Rejects when there is no connection to be had. */
export const openSignals = async ({ url, onStop, onEnd }: SignalsOptions): Promise<Signals> => {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'tenon signals',
    connectionTimeoutMillis: 5_000,
    query_timeout: ANSWER_MS,
    keepAlive: true,
    // Many ask at once; each is sent at once and has a transaction of its own all the same.
    pipeline: true,
  });
  let provenAt = -Infinity;
  let ended = false;
  let asking = true;
  const beat = setInterval(() => {
    if (asking) return;
    asking = true;
    query('SELECT').then(
      () => (asking = false),
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
    // No goodbye: it would wait behind what isn't answered.
    client.connection.stream.destroy();
    onEnd(asError(error));
  };
  const query = async <Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
    // The server had the connection when it answered, so certainly when it was asked.
    const askedAt = performance.now();
    try {
      const { rows } = await client.query<Row>(text, [...values]);
      provenAt = Math.max(provenAt, askedAt);
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
    // Nothing was held yet: who asked for the connection is told, nobody else.
    end();
    client.connection.stream.destroy();
    throw error;
  }
  await query(`LISTEN ${CHANNEL}`);
  asking = false;

  return {
    query,
    stop: async (gate) => {
      await query('SELECT pg_notify($1, $2)', [CHANNEL, gate]);
    },
    isFresh: () => !ended && performance.now() - provenAt <= FRESH_MS,
    close: async () => {
      if (ended) return;
      end();
      onEnd(null);
      const goodbye = new AbortController();
      await Promise.race([client.end(), pause(GOODBYE_MS, undefined, { signal: goodbye.signal }).catch(() => undefined)]);
      goodbye.abort();
    },
  };
};
