import type { CliContext } from '../../context.ts';
import { createPrinter, type PrintFlags } from '../../output/printer.ts';
import { placeOf, sizeText, withShards } from './connect.ts';

export const findShard = (context: CliContext, flags: PrintFlags, store: string): Promise<void> =>
  withShards(context, async (shards) => {
    const place = await placeOf(shards, store);
    const { storeId, domain, group } = place;
    createPrinter(context.process, flags).one(place, {
      store: storeId,
      domain,
      'shard group': group.number,
      node: group.node,
      size: sizeText(group.bytes),
      stores: group.stores ?? 'unknown',
    });
  });
