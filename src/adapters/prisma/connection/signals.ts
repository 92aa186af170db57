import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

import { asError, sqlOver } from './sql.ts';
import type { Sql } from './sql.ts';
import { statement } from './statement.ts';

/**
 * A statement that is not answered in this time ends the connection. Its locks are lost then, long
 * before a stop ends it from outside.
 */
const ANSWER_MS = 2_000;
const BEAT_MS = 500;
/** For this long after its last answer the connection counts as alive. */
const FRESH_MS = 2_000;
/** A server that does not answer is given this long to end the connection in order. */
const END_MS = 1_000;

const LISTEN = statement({ text: 'LISTEN tenon_stop' });
const NOTIFY = statement({ text: `SELECT pg_notify('tenon_stop', $scope)`, parameters: { scope: 'text' } });
/** Proves that the connection is alive. */
const PING = statement({ text: 'SELECT' });

export interface SignalsOptions {
  readonly url: string;
  readonly onStop: (scope: string) => void;
  /** Called once, at the moment the connection ends. Null when it was closed on purpose. */
  readonly onEnd: (error: Error | null) => void;
}

/**
 * The one connection of this process that has the session locks and receives stops. It is not in
 * the pool, so a busy pool delays neither.
 */
export interface Signals {
  /** A statement that fails ends the connection, since no client's input can make one fail. */
  readonly sql: Sql;
  /** Resolves when the server has answered. */
  ping(): Promise<unknown>;
  /** Reports a stop to all processes, this one included. */
  announceStop(scope: string): Promise<void>;
  /**
   * Whether the server had this connection, with its locks, in the last two seconds, by a clock
   * that runs while the process is paused.
   */
  isFresh(): boolean;
  close(): Promise<void>;
}

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
    sql.execute(PING).then(
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
  const sql = sqlOver(async (query) => {
    // The server had the connection when it answered, and so when the statement was sent.
    const sentAt = performance.now();
    try {
      const result = await client.query(query);
      provenAt = Math.max(provenAt, sentAt);
      return result;
    } catch (error) {
      lose(error);
      throw error;
    }
  });

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
  await sql.execute(LISTEN);
  isBeating = false;

  return {
    sql,
    ping: () => sql.execute(PING),
    announceStop: async (scope) => {
      await sql.execute(NOTIFY, { scope });
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
