import type { World } from '../world.ts';
import { adjuster } from './adjusters.ts';
import { countUp } from './count-up.ts';
import { importer } from './importers.ts';
import { imports, orders } from './merchant.ts';
import { copied, optioned } from './optioned.ts';
import type { Shop } from './shop.ts';
import { subscribers, shortLivedApps } from './short-lived-apps.ts';
import { writer } from './writers.ts';

const WRITERS = 8;
const ADJUSTERS = 3;

/**
 * Clients at work; resolves once the round is over and the last of them has its answer or has given
 * up. Rejects when one fails.
 */
export const runWorkload = async (world: World, shops: readonly Shop[]): Promise<void> => {
  await Promise.all([
    ...Array.from({ length: WRITERS }, (_, n) => writer(world, shops, `writer-${n}`, 300)),
    orders(world, shops, 300),
    orders(world, shops, 300),
    imports(world, shops, 1_000),
    // The files of a lost import stay, and nobody knows them any more. Nobody knows either whether a lost adjustment was made.
    ...(world.failovers?.isAsynchronous
      ? []
      : [
          importer(world, shops, 'importer', 1_500),
          copied(world, shops.slice(0, 1)),
          optioned(world, shops, 2_500),
          ...Array.from({ length: ADJUSTERS }, (_, n) => adjuster(world, shops, `adjuster-${n}`, 300)),
        ]),
    subscribers(world, shops, 2_500),
    shortLivedApps(world, shops, 'short-lived-a', 1_500),
    shortLivedApps(world, shops, 'short-lived-b', 1_500),
    ...(world.failovers && world.probed ? [countUp(world, world.probed)] : []),
  ]);
};
