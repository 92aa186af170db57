import type pg from 'pg';

import { isCoordinator, looking, type Connections } from './coordinator.ts';
import { undistributed } from './distribute.ts';

/** Query to each node. The answer is a line of text. */
const ASKED = `
  SELECT json_build_object('postgresql', current_setting('server_version_num')::int / 10000,
    'citus', (SELECT split_part(extversion, '.', 1)::int FROM pg_extension WHERE extname = 'citus'),
    'preparedTransactions', current_setting('max_prepared_transactions')::int,
    'walLevel', current_setting('wal_level'), 'seconds', extract(epoch FROM clock_timestamp()))::text`;

const SUMMARY = `
  SELECT split_part(citus_version(), ' ', 2) AS version, current_setting('server_version_num')::int / 10000 AS postgresql,
    (SELECT count(*)::int FROM pg_dist_node WHERE groupid <> 0 AND noderole = 'primary') AS workers,
    (SELECT count(*)::int FROM pg_dist_partition WHERE partmethod = 'h') AS tables,
    (SELECT count(*)::int FROM pg_dist_shard JOIN pg_dist_partition USING (logicalrelid) WHERE partmethod = 'h') AS shards,
    (SELECT setting::int FROM pg_settings WHERE name = 'citus.recover_2pc_interval') AS "recoveryMs"`;

const NODES = `
  SELECT nodeid AS id, nodename || ':' || nodeport AS node, isactive AS "isActive", shouldhaveshards OR EXISTS (
      SELECT FROM pg_dist_placement p JOIN pg_dist_shard USING (shardid) JOIN pg_dist_partition USING (logicalrelid)
      WHERE p.groupid = n.groupid AND partmethod = 'h'
    ) AS "hasShards"
  FROM pg_dist_node n WHERE noderole = 'primary' ORDER BY groupid`;

const ANSWERS = 'SELECT nodeid AS id, success AS "isDone", result FROM run_command_on_all_nodes($1)';

const NOW = 'SELECT extract(epoch FROM clock_timestamp())::float8 AS seconds';

export interface NodeAnswer {
  /** Major versions. */
  readonly postgresql: number;
  readonly citus: number;
  /** max_prepared_transactions. */
  readonly preparedTransactions: number;
  readonly walLevel: string;
  /** Smallest difference of its clock from the coordinator's. */
  readonly secondsApart: number;
}

export interface CitusNode {
  readonly node: string;
  readonly isActive: boolean;
  /** True for a node that has shards, or may get some. */
  readonly hasShards: boolean;
  /** A text is the reason for no answer. Citus does not ask a node that is not active. */
  readonly answer: NodeAnswer | string | null;
}

export interface CitusFacts {
  readonly version: string;
  /** The major version of the coordinator. */
  readonly postgresql: number;
  readonly workers: number;
  readonly tables: number;
  readonly shards: number;
  /** Names of tables that have no place yet. */
  readonly undistributed: readonly string[];
  /** citus.recover_2pc_interval; below 0 where nothing is recovered. */
  readonly recoveryMs: number;
  readonly nodes: readonly CitusNode[];
}

interface Asked {
  readonly id: number;
  readonly isDone: boolean;
  readonly result: string;
}

const clockOf = async (client: pg.ClientBase): Promise<number> =>
  (await client.query<{ seconds: number }>(NOW)).rows[0]?.seconds ?? 0;

const askNodes = async (client: pg.ClientBase): Promise<ReadonlyMap<number, NodeAnswer | string>> => {
  const before = await clockOf(client);
  const { rows } = await client.query<Asked>(ANSWERS, [ASKED]);
  const after = await clockOf(client);
  const answerOf = ({ isDone, result }: Asked): NodeAnswer | string => {
    if (!isDone) return result.split('\n', 1)[0] ?? '';
    const { seconds, ...answer } = JSON.parse(result) as NodeAnswer & { readonly seconds: number };
    return { ...answer, secondsApart: Math.max(0, before - seconds, seconds - after) };
  };
  return new Map(rows.map((row) => [row.id, answerOf(row)]));
};

type Summary = Pick<CitusFacts, 'version' | 'postgresql' | 'workers' | 'tables' | 'shards' | 'recoveryMs'>;

const readFacts = async (client: pg.ClientBase): Promise<CitusFacts | null> => {
  const {
    rows: [summary],
  } = await client.query<Summary>(SUMMARY);
  if (summary === undefined) return null;
  const { rows: nodes } = await client.query<Omit<CitusNode, 'answer'> & { id: number }>(NODES);
  const answers = await askNodes(client);
  return {
    ...summary,
    undistributed: (await undistributed(client)).map(({ name }) => name),
    nodes: nodes.map(({ id, ...node }) => ({ ...node, answer: answers.get(id) ?? null })),
  };
};

/** Null where the database is not the coordinator of a Citus cluster. */
export const citusFacts = (database: Connections): Promise<CitusFacts | null> =>
  looking(database, async (client) => ((await isCoordinator(client)) ? readFacts(client) : null));
