import { watched } from '../../../postgres/watched-pool.ts';
import type { MoveOptions, MoveProgress } from '../../../storage/shards.ts';
import { pause } from '../../../startup/deadline.ts';
import { looking, working, type Connection, type Connections } from './coordinator.ts';

/** All shards of the group, and without a lock that writes wait for, but at the end: each table has a primary key. */
const MOVE = `
  SELECT citus_move_shard_placement($1::bigint, source.nodeid, target.nodeid, 'auto')
  FROM pg_dist_node source, pg_dist_node target
  WHERE source.nodename || ':' || source.nodeport = $2 AND target.nodename || ':' || target.nodeport = $3`;

const PROGRESS = `
  SELECT min(sourcename || ':' || sourceport) AS from, min(targetname || ':' || targetport) AS to, lower(min(status)) AS phase,
    sum(target_shard_size)::float8 AS bytes, sum(source_shard_size)::float8 AS "ofBytes"
  FROM get_rebalance_progress() WHERE sessionid = $1 HAVING count(*) > 0`;

/**
 * Leftovers of the group's last move on a node that it came from: Citus drops a shard there only
 * while nobody uses it.
 */
const LEFTOVERS = `
  SELECT object_name FROM pg_dist_cleanup WHERE object_name IN (
    SELECT shard_name(beside.logicalrelid, beside.shardid, false)
    FROM pg_dist_shard moved JOIN pg_dist_partition m ON m.logicalrelid = moved.logicalrelid
      JOIN pg_dist_partition b ON b.colocationid = m.colocationid
      JOIN pg_dist_shard beside ON beside.logicalrelid = b.logicalrelid AND beside.shardminvalue = moved.shardminvalue
    WHERE moved.shardid = $1::bigint)`;

/** Drops each such shard that nobody uses for a second. */
const CLEAN_UP = 'CALL citus_cleanup_orphaned_resources()';

/** A move would be refused meanwhile. After this time it is tried, so that Citus says why. */
const CLEAN_UP_MS = 60_000;

const CANCEL = 'SELECT pg_cancel_backend($1::int)';

const LOOK_MS = 500;

/**
 * Looks at the work of this backend, and ends it where that is wanted. A failure here leaves the
 * work unchanged.
 */
const look = async (database: Connections, pid: number, { onProgress, signal }: MoveOptions): Promise<void> => {
  try {
    await looking(database, async (client) => {
      if (signal.aborted) await client.query(CANCEL, [pid]);
      for (const progress of (await client.query<MoveProgress>(PROGRESS, [pid])).rows) onProgress(progress);
    });
  } catch {
    // The next look is soon.
  }
};

const follow = async (database: Connections, pid: number, options: MoveOptions, ended: AbortSignal): Promise<void> => {
  while (!ended.aborted) {
    await look(database, pid, options);
    await pause(LOOK_MS, { signal: ended });
  }
};

const cleanUp = async (client: Connection, id: string, { signal }: MoveOptions): Promise<void> => {
  const latest = performance.now() + CLEAN_UP_MS;
  while ((await client.query(LEFTOVERS, [id])).rows.length > 0 && performance.now() < latest) {
    await client.query(CLEAN_UP);
    await pause(LOOK_MS, { signal });
    signal.throwIfAborted();
  }
};

/** Moves the shard and all that lie beside it. Citus itself removes every 15 seconds what a move leaves behind. */
export const moveShards = (
  database: Connections,
  { id, from, to }: { readonly id: string; readonly from: string; readonly to: string },
  options: MoveOptions,
): Promise<void> =>
  working(database, async (client) => {
    const ended = new AbortController();
    const following = follow(database, watched(client).backend?.pid ?? 0, options, ended.signal);
    try {
      await cleanUp(client, id, options);
      await client.query(MOVE, [id, from, to]);
    } finally {
      ended.abort();
      await following;
    }
  });
