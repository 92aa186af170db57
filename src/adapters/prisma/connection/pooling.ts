import pg from 'pg';

import { backendOf } from '../../postgres/backends.ts';
import { Watch } from '../../postgres/watch.ts';
import { WatchedClient } from '../../postgres/watched-client.ts';
import { StartFailure, unreachable } from '../../startup/start-failure.ts';

const SHARED =
  'The pooler at DATABASE_URL gives each transaction another connection (pgbouncer: pool_mode=transaction), and Tenon needs connections of its own: use pool_mode=session, or no pooler (docs/scaling.md).';

/** For a connection, and for each answer on it. */
const PATIENCE_MS = 10_000;

const connect = async (url: string): Promise<pg.Client> => {
  const watch = new Watch({ limit: { ms: PATIENCE_MS, isServers: true } });
  const client = new WatchedClient({ connectionString: url, application_name: 'tenon start', connectMs: PATIENCE_MS, watch });
  try {
    await client.connect();
  } catch (error) {
    throw unreachable(error);
  }
  return client;
};

/**
 * True when a connection that is kept open is one backend of the server from its first statement to
 * its last, as it is without a pooler and in session mode. In transaction mode two idle connections
 * use the same backend, or one of them changes. A pooler may give its backends out in turn: so in
 * each round another one of the two is asked first, and holds a transaction meanwhile.
 */
const keepsBackends = async (a: pg.Client, b: pg.Client): Promise<boolean> => {
  const seen = new Map<pg.Client, Set<number>>([
    [a, new Set()],
    [b, new Set()],
  ]);
  const ask = async (...clients: pg.Client[]): Promise<void> => {
    for (const client of clients) seen.get(client)?.add((await backendOf(client))?.pid ?? 0);
  };
  await ask(a, b);
  for (const [first, second] of [
    [b, a],
    [a, b],
  ] as const) {
    await first.query('BEGIN');
    await ask(first, second);
    await first.query('COMMIT');
    await ask(first, second, second, first);
  }
  const backends = [...seen.values()].flatMap((own) => [...own]);
  return backends.length === 2 && new Set(backends).size === 2;
};

/**
 * Reason why Tenon cannot work with the pooler at this address; null where it can. Throws a
 * StartFailure when nothing can be reached there.
 */
export const poolerFault = async (url: string): Promise<string | null> => {
  const a = await connect(url);
  try {
    const b = await connect(url);
    try {
      return (await keepsBackends(a, b)) ? null : SHARED;
    } catch (error) {
      // A pooler in statement mode refuses BEGIN.
      if (error instanceof pg.DatabaseError) return SHARED;
      throw unreachable(error);
    } finally {
      await b.end();
    }
  } finally {
    await a.end();
  }
};

/** Throws a StartFailure where connections are not kept. */
export const refuseSharedConnections = async (url: string): Promise<void> => {
  const fault = await poolerFault(url);
  if (fault !== null) throw new StartFailure(fault);
};
