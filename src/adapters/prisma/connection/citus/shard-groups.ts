import type pg from 'pg';

import type { ShardGroup, ShardNode } from '../../../storage/shards.ts';

const NODES = `
  SELECT nodename || ':' || nodeport AS node, isactive AND shouldhaveshards AS "takesShards"
  FROM pg_dist_node WHERE noderole = 'primary' ORDER BY groupid`;

/** Each shard of the table of stores, and where it is. All other tables have a shard of the same hashes beside it. */
const PLACED = `
  SELECT s.shardid, s.shardminvalue, t.colocationid, row_number() OVER (ORDER BY s.shardminvalue::int) AS number, n.nodename, n.nodeport
  FROM pg_dist_shard s JOIN pg_dist_partition t USING (logicalrelid) JOIN pg_dist_placement p USING (shardid)
    JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'
  WHERE s.logicalrelid = to_regclass('stores')`;

/** Citus gives no size of a shard whose node does not answer. */
const GROUPS = `
  SELECT g.number::int, g.shardid::text AS id, g.nodename || ':' || g.nodeport AS node, sum(z.size)::float8 AS bytes
  FROM (${PLACED}) g JOIN pg_dist_partition t USING (colocationid)
    JOIN pg_dist_shard s ON s.logicalrelid = t.logicalrelid AND s.shardminvalue = g.shardminvalue
    LEFT JOIN (SELECT shard_id, max(size) AS size FROM citus_shard_sizes() GROUP BY shard_id) z ON z.shard_id = s.shardid
  GROUP BY 1, 2, 3 ORDER BY 1`;

/** A command for each node counts its shards. A node that does not answer is waited for once. */
const COUNTS = `
  SELECT result FROM (
    SELECT array_agg(nodename) AS names, array_agg(nodeport) AS ports, array_agg(command) AS commands FROM (
      SELECT nodename, nodeport, format('SELECT json_object_agg(id, stores) FROM (%s) c', string_agg(
        format('SELECT %s AS id, count(*) AS stores FROM %s', shardid, shard_name(to_regclass('stores'), shardid)), ' UNION ALL ')) AS command
      FROM (${PLACED}) g GROUP BY nodename, nodeport
    ) c
  ) n CROSS JOIN LATERAL master_run_on_worker(names, ports, commands, true)
  WHERE success`;

const SHARD_OF = `SELECT get_shard_id_for_distribution_column('stores', $1::uuid)::text AS id`;

export const readNodes = async (client: pg.ClientBase): Promise<readonly ShardNode[]> =>
  (await client.query<ShardNode>(NODES)).rows;

export const readGroups = async (client: pg.ClientBase): Promise<readonly ShardGroup[]> => {
  const { rows: groups } = await client.query<Omit<ShardGroup, 'stores'>>(GROUPS);
  if (groups.length === 0) return [];
  const { rows: counts } = await client.query<{ result: string }>(COUNTS);
  const stores = new Map(counts.flatMap(({ result }) => Object.entries(JSON.parse(result) as Record<string, number>)));
  return groups.map((group) => ({ ...group, stores: stores.get(group.id) ?? null }));
};

export const readGroupId = async (client: pg.ClientBase, storeId: string): Promise<string | undefined> =>
  (await client.query<{ id: string }>(SHARD_OF, [storeId])).rows[0]?.id;
