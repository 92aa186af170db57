import pg from 'pg';

import { withShortConnection } from './short-connection.ts';
import { serversAt } from './servers.ts';
import { TIMELINE } from './timeline.ts';

/** The server's process for one connection. Its number may be used again, the moment of its start is not. */
export interface ServerBackend {
  readonly pid: number;
  readonly startedAt: string;
}

export interface OwnBackend extends ServerBackend {
  /** Null of a server that takes no writes. */
  readonly timeline: number | null;
  /** True for a database of a Citus cluster, which spreads the tables over several servers. */
  readonly hasCitus: boolean;
}

/**
 * State of a backend by the server: it works; its commit waits for a standby; it waits for its
 * client; or it has just changed, and nothing is certain.
 */
export type Doing = 'works' | 'replicates' | 'waits' | 'unknown';

/**
 * The server's report on its backends. `refused`: it answers, but gives no connection, for example
 * because all are taken.
 */
export type BackendsAnswer = readonly (ServerBackend & { readonly doing: Doing })[] | 'refused' | null;

/** Asks the server about backends. Null when no answer comes in time. Never rejects. */
export type AskBackends = (pids: readonly number[]) => Promise<BackendsAnswer>;

const STARTED_AT = 'extract(epoch FROM backend_start)::text';

/** SQL for whether the database is part of a Citus cluster. */
export const HAS_CITUS = "EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')";

const OWN = `
  SELECT pid, ${STARTED_AT} AS "startedAt", ${TIMELINE} AS timeline, ${HAS_CITUS} AS "hasCitus"
  FROM pg_stat_activity WHERE pid = pg_backend_pid()`;

// Citus waits for an answer of a worker as PostgreSQL waits for its client: ClientRead.
const DOING = `
  SELECT pid, ${STARTED_AT} AS "startedAt",
    CASE WHEN wait_event = 'SyncRep' THEN 'replicates'
         WHEN state = 'active' AND wait_event_type = 'Client' AND (wait_event <> 'ClientRead' OR NOT ${HAS_CITUS}) THEN 'waits'
         WHEN state LIKE 'idle%' THEN CASE WHEN state_change < clock_timestamp() - interval '1 second' THEN 'waits' ELSE 'unknown' END
         ELSE 'works' END AS doing
  FROM pg_stat_activity WHERE pid = ANY($1::int[])`;

/** The backend of this connection, also behind a pooler that gives each client its own. */
export const backendOf = async (client: pg.ClientBase): Promise<OwnBackend | null> =>
  (await client.query<OwnBackend>(OWN)).rows[0] ?? null;

/**
 * Asks over a new connection each time, which also finds out whether a new connection reaches the
 * server that has the others.
 */
export const askOver =
  (url: string, answerMs: number): AskBackends =>
  async (pids) => {
    const servers = serversAt(url);
    try {
      const rows = await withShortConnection(await servers.primary(), 'tenon watch', answerMs, async (client) => {
        return (await client.query<ServerBackend & { doing: Doing }>(DOING, [[...pids]])).rows;
      });
      // The standby that a commit waits for may be away because it was promoted.
      if (rows.some(({ doing }) => doing === 'replicates')) void servers.askAgain();
      return rows;
    } catch (error) {
      return error instanceof pg.DatabaseError ? 'refused' : null;
    }
  };
