import { buildRouteMap } from '@stricli/core';

import { localCommand } from '../../command.ts';
import { PRINT_FLAGS, switchFlag, WIDE_FLAG } from '../../flags.ts';

/** Without the proposals of other commands: these do not ask a server. */
const STORE = { parse: String, placeholder: 'store', brief: 'Id or domain of the store' } as const;

export const shardCommands = buildRouteMap({
  routes: {
    list: localCommand({
      docs: {
        brief: 'List the shard groups and the nodes',
        about:
          'A shard group has all rows of its stores, and is on one node. Shows the size and the stores of each group, and the totals of each node. ' +
          'DATABASE_URL must be the coordinator of a Citus cluster.',
        examples: ['tenon shards list', 'tenon shards list --json | jq .nodes'],
      },
      flags: { ...PRINT_FLAGS, ...WIDE_FLAG },
      load: async () => (await import('./list.ts')).listShards,
    }),
    find: localCommand({
      docs: {
        brief: 'Show where a store is',
        about:
          'Shows the shard group of the store, its node and its size. DATABASE_URL must be the coordinator of a Citus cluster.',
        examples: ['tenon shards find shop.example.com'],
      },
      flags: PRINT_FLAGS,
      positional: { kind: 'tuple', parameters: [STORE] },
      load: async () => (await import('./find.ts')).findShard,
    }),
    move: localCommand({
      docs: {
        brief: 'Move the shard group of a store to another node',
        about:
          'Moves the store with all other stores of its group. Requests are answered meanwhile; at the end, writes of these stores wait for a moment. ' +
          'Both nodes need wal_level=logical. Ctrl-C ends the move, and so does the end of this command: the group stays where it is. What the ' +
          'move has copied until then is removed by the next move, or by Citus within 15 seconds. DATABASE_URL must be the coordinator of a Citus cluster.',
        examples: ['tenon shards move shop.example.com 10.0.0.32:5432'],
      },
      flags: PRINT_FLAGS,
      positional: {
        kind: 'tuple',
        parameters: [
          STORE,
          { parse: String, placeholder: 'node', brief: 'Host and port of the node: tenon shards list shows them' },
        ],
      },
      load: async () => (await import('./move.ts')).moveShard,
    }),
    balance: localCommand({
      docs: {
        brief: 'Move shard groups until all nodes have an equal share',
        about:
          'The coordinator moves one group after the other by itself, by their sizes, as tenon shards move does. This command starts the moves and ' +
          'shows them. After Ctrl-C or the end of this command, they continue. After a restart of the coordinator, the move that was under way begins again. Run the ' +
          'command again to see them. A move that fails is tried again. --stop ends the moves; groups that were moved stay. DATABASE_URL must be the coordinator of a Citus cluster.',
        examples: ['tenon shards balance', 'tenon shards balance --stop'],
      },
      flags: { stop: switchFlag('End the moves that run'), ...PRINT_FLAGS },
      load: async () => (await import('./balance.ts')).balanceShards,
    }),
  },
  docs: { brief: 'Where stores are on the nodes of a Citus cluster' },
});
