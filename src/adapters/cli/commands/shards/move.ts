import { plural } from '../../../../domain/values/plural.ts';
import type { MoveProgress, ShardGroup, ShardNode } from '../../../storage/shards.ts';
import type { CliContext } from '../../context.ts';
import { CommandFailure, EXIT } from '../../failure.ts';
import { createPrinter, type PrintFlags } from '../../output/printer.ts';
import { showLine } from '../../output/progress.ts';
import { megabytes } from '../../output/size.ts';
import { placeOf, sizeText, withShards } from './connect.ts';

export const moveText = ({ phase, bytes, ofBytes }: MoveProgress): string =>
  `${phase}, ${megabytes(bytes)} of ${megabytes(ofBytes)}`;

/** Throws a CommandFailure where the group can't be moved to this node. */
const requireTarget = (nodes: readonly ShardNode[], group: ShardGroup, node: string): void => {
  const target = nodes.find((one) => one.node === node);
  const able = nodes.filter(({ takesShards }) => takesShards).map((one) => one.node);
  if (target === undefined)
    throw new CommandFailure(`There is no node ${node}. Nodes that take shards: ${able.join(', ')}.`, EXIT.notFound);
  if (group.node === node) throw new CommandFailure(`Shard group ${String(group.number)} is on ${node} already.`, EXIT.refused);
  if (!target.takesShards)
    throw new CommandFailure(`${node} takes no shards. Nodes that take shards: ${able.join(', ')}.`, EXIT.refused);
};

export const moveShard = (context: CliContext, flags: PrintFlags, store: string, node: string): Promise<void> =>
  withShards(context, async (shards) => {
    const { group } = await placeOf(shards, store);
    requireTarget(await shards.nodes(), group, node);
    const print = createPrinter(context.process, flags);
    const { number, node: from, bytes, stores } = group;
    const what = `shard group ${String(number)} with ${stores === null ? 'its stores' : plural(stores, 'store')}`;
    print.say(`Moving ${what} (${String(sizeText(bytes))}) from ${from} to ${node}.`);
    const signal = context.interrupted();
    const begun = performance.now();
    let progress = 'begins';
    const hide = showLine({ process: context.process, quiet: flags.quiet === true, read: () => progress });
    try {
      await shards.move(group, node, { onProgress: (now) => (progress = moveText(now)), signal });
    } catch (error) {
      if (!signal.aborted) throw error;
      throw new CommandFailure(`Stopped. Shard group ${String(number)} stays on ${from}.`, EXIT.interrupted);
    } finally {
      hide();
    }
    const seconds = (performance.now() - begun) / 1000;
    if (flags.json === true) print.one({ shardGroup: number, from, to: node, bytes, stores, seconds }, {});
    print.say(`Moved ${what} to ${node}, ${seconds.toFixed(1)} s.`);
  });
