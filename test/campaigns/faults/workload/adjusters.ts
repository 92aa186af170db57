import { setTimeout as pause } from 'node:timers/promises';

import type { Attempt } from '../history.ts';
import type { World } from '../world.ts';
import { skuOf, type Shop } from './shop.ts';
import { askUnderKey } from './writers.ts';

/** So few variants that adjusters get into each other's way, and into that of the writers of their products. */
const VARIANTS = 8;
const MAX_ITEMS = 4;
const MOST = 40;

/** Adjusts the stock of some variants at a time until the round is over. `paceMs`: the most milliseconds between two requests. */
export const adjuster = async (world: World, shops: readonly Shop[], name: string, paceMs: number): Promise<void> => {
  const { random, clock, history } = world;
  const products = Array.from({ length: VARIANTS }, (_, product) => product);
  for (let n = 1; !clock.isOver(); n += 1) {
    const { installationId, storeId, headers } = random.pick(random.pick(shops).apps);
    const key = `${name}-${n}`;
    const some = random.shuffled(products).slice(0, 1 + random.below(MAX_ITEMS));
    const adjustments = some.map((product) => ({
      sku: skuOf(product),
      by: (1 + random.below(MOST)) * (random.chance(0.5) ? 1 : -1),
    }));
    const attempts: Attempt[] = [];
    history.stocks.push({ installationId, storeId, key, adjustments, attempts });
    const variants = adjustments.map(({ sku, by }) => ({ sku, stock: [{ adjust: by }] }));
    const ask = {
      method: 'POST',
      path: '/apps/catalog/variants/bulk',
      headers: { ...headers, 'idempotency-key': key },
      body: JSON.stringify({ variants }),
    } as const;
    await askUnderKey(world, ask, attempts);
    await pause(random.between(0, paceMs));
  }
};
