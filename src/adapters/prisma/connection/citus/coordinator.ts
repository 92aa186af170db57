import type pg from 'pg';

import { watched } from '../../../postgres/watched-pool.ts';

// No text of this folder is declared as a statement: only a database with Citus has its catalogue.
const HAS_CITUS = `SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS found`;
/** A worker has the number of its group here. */
const IS_COORDINATOR = 'SELECT groupid = 0 AS found FROM pg_dist_local_group';

const finds = async (client: pg.ClientBase, text: string): Promise<boolean> =>
  (await client.query<{ found: boolean }>(text)).rows[0]?.found === true;

export const hasCitus = (client: pg.ClientBase): Promise<boolean> => finds(client, HAS_CITUS);

export const isCoordinator = async (client: pg.ClientBase): Promise<boolean> =>
  (await hasCitus(client)) && (await finds(client, IS_COORDINATOR));

/** For a statement that asks all nodes. */
const LIMIT_MS = 5_000;
/** For a node to take a connection. Citus would wait for a silent one for 30 seconds. */
const NODE_MS = 2_000;

const LIMITED = `SET statement_timeout = ${String(LIMIT_MS)}; SET citus.node_connection_timeout = ${String(NODE_MS)}`;
const UNLIMITED = 'SET statement_timeout = 0; SET lock_timeout = 0';

/** The connection is not used again, since its settings are changed. */
const onConnection = async <T>(
  pool: pg.Pool,
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
export const looking = <T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> =>
  onConnection(pool, { settings: LIMITED, limitMs: LIMIT_MS }, work);

/** A statement may take as long as the coordinator works on it. */
export const working = <T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> =>
  onConnection(pool, { settings: UNLIMITED, limitMs: 0 }, work);
