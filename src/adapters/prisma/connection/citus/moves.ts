import { setTimeout as pause } from 'node:timers/promises';

import { watched } from '../../../postgres/watched-pool.ts';
import type { MoveOptions, MoveProgress } from '../../../storage/shards.ts';
import { looking, working, type Connections } from './coordinator.ts';

/** All shards of the group, and without a lock that writes wait for, but at the end: each table has a primary key. */
const MOVE = `
  SELECT citus_move_shard_placement($1::bigint, source.nodeid, target.nodeid, 'auto')
  FROM pg_dist_node source, pg_dist_node target
  WHERE source.nodename || ':' || source.nodeport = $2 AND target.nodename || ':' || target.nodeport = $3`;

const PROGRESS = `
  SELECT min(sourcename || ':' || sourceport) AS from, min(targetname || ':' || targetport) AS to, lower(min(status)) AS phase,
    sum(target_shard_size)::float8 AS bytes, sum(source_shard_size)::float8 AS "ofBytes"
  FROM get_rebalance_progress() WHERE sessionid = $1 HAVING count(*) > 0`;

const CANCEL = 'SELECT pg_cancel_backend($1::int)';

const LOOK_MS = 500;

/** One look at the work of this backend, which is ended where that is wanted. What fails here leaves the work as it is. */
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
    await pause(LOOK_MS, undefined, { signal: ended }).catch(() => undefined);
  }
};

/**
 * Moves the shard and all that lie beside it. What a move leaves behind when it is ended is removed at the beginning of the
 * next one, and by Citus itself every 15 seconds.
 */
export const moveShards = (
  database: Connections,
  { id, from, to }: { readonly id: string; readonly from: string; readonly to: string },
  options: MoveOptions,
): Promise<void> =>
  working(database, async (client) => {
    const ended = new AbortController();
    const following = follow(database, watched(client).backend?.pid ?? 0, options, ended.signal);
    try {
      await client.query(MOVE, [id, from, to]);
    } finally {
      ended.abort();
      await following;
    }
  });
