import type { ShardGroup, ShardNode } from '../../../storage/shards.ts';
import type { CliContext } from '../../context.ts';
import { CommandFailure } from '../../failure.ts';
import { createPrinter, type ListFlags } from '../../output/printer.ts';
import type { TableColumn } from '../../output/table.ts';
import { NO_PLACES, sizeText, withShards } from './connect.ts';

interface Totals {
  readonly node: string;
  readonly shardGroups: number;
  readonly bytes: number | null;
  readonly stores: number | null;
}

const sum = (values: readonly (number | null)[]): number | null =>
  values.reduce((total, value) => (total === null || value === null ? null : total + value), 0);

const totalsOf = (nodes: readonly ShardNode[], groups: readonly ShardGroup[]): readonly Totals[] =>
  nodes.flatMap(({ node, takesShards }) => {
    const own = groups.filter((group) => group.node === node);
    if (own.length === 0 && !takesShards) return [];
    return [
      { node, shardGroups: own.length, bytes: sum(own.map(({ bytes }) => bytes)), stores: sum(own.map(({ stores }) => stores)) },
    ];
  });

const shownStores = ({ stores }: Pick<ShardGroup, 'stores'>) => stores ?? 'unknown';

const GROUP_COLUMNS: readonly TableColumn<ShardGroup>[] = [
  { name: 'shard group', of: ({ number }) => number, align: 'right' },
  { name: 'node', of: ({ node }) => node, kind: 'whole' },
  { name: 'size', of: ({ bytes }) => sizeText(bytes), align: 'right' },
  { name: 'stores', of: shownStores, align: 'right' },
];

const NODE_COLUMNS: readonly TableColumn<Totals>[] = [
  { name: 'node', of: ({ node }) => node, kind: 'whole' },
  { name: 'shard groups', of: ({ shardGroups }) => shardGroups, align: 'right' },
  { name: 'size', of: ({ bytes }) => sizeText(bytes), align: 'right' },
  { name: 'stores', of: shownStores, align: 'right' },
];

export const listShards = (context: CliContext, flags: ListFlags): Promise<void> =>
  withShards(context, async (shards) => {
    const groups = await shards.groups();
    if (groups.length === 0) throw new CommandFailure(NO_PLACES);
    const nodes = totalsOf(await shards.nodes(), groups);
    const print = createPrinter(context.process, flags);
    if (flags.json === true) print.one({ groups, nodes }, {});
    else {
      print.list(groups, GROUP_COLUMNS);
      print.raw('\n');
      print.list(nodes, NODE_COLUMNS);
    }
  });
