import pg from 'pg';

import { messageOf } from '../../../../domain/values/error.ts';
import { watched } from '../../../postgres/watched-pool.ts';
import type { Database } from '../database.ts';
import { hasCitus } from './has-citus.ts';

// No text of this folder is declared as a statement: only a database with Citus has its catalogue.
/** A worker has the number of its group here. */
const IS_COORDINATOR = 'SELECT groupid = 0 AS found FROM pg_dist_local_group';

export const isCoordinator = async (client: pg.ClientBase): Promise<boolean> =>
  hasCitus(client) && (await client.query<{ found: boolean }>(IS_COORDINATOR)).rows[0]?.found === true;

/** For a statement that asks all nodes. */
const LIMIT_MS = 5_000;
/** For a node to take a connection. Citus would wait for a silent one for 30 seconds. */
const NODE_MS = 2_000;

const LIMITED = `SET statement_timeout = ${String(LIMIT_MS)}; SET citus.node_connection_timeout = ${String(NODE_MS)}`;
const UNLIMITED = 'SET statement_timeout = 0; SET lock_timeout = 0';

export type Connection = pg.ClientBase;
export type Connections = Pick<Database, 'pool'>;

/** The connection is not used again, since its settings are changed. */
const onConnection = async <T>(
  { pool }: Connections,
  { settings, limitMs }: { readonly settings: string; readonly limitMs: number },
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> => {
  const client = await pool.connect();
  try {
    await client.query(settings);
    watched(client).expect(limitMs);
    return await work(client);
  } finally {
    client.release(true);
  }
};

/** Each statement ends in time, also where a node of Citus falls silent. */
export const looking = <T>(database: Connections, work: (client: pg.PoolClient) => Promise<T>): Promise<T> =>
  onConnection(database, { settings: LIMITED, limitMs: LIMIT_MS }, work);

/** A statement may take as long as the coordinator works on it. */
export const working = <T>(database: Connections, work: (client: pg.PoolClient) => Promise<T>): Promise<T> =>
  onConnection(database, { settings: UNLIMITED, limitMs: 0 }, work);

/** Citus' reason for a refusal, in its words. */
export const coordinatorReasonOf = (error: unknown): string => {
  if (error instanceof pg.DatabaseError) return [error.message, error.detail].filter(Boolean).join('. ');
  return error instanceof Error && error.cause !== undefined ? coordinatorReasonOf(error.cause) : messageOf(error);
};
