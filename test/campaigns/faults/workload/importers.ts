import { setTimeout as pause } from 'node:timers/promises';

import type { Attempt, MediaHistory, MediaItem } from '../history.ts';
import type { World } from '../world.ts';
import { createProduct, deleteProduct } from './merchant.ts';
import type { App, Shop } from './shop.ts';
import { askUnderKey } from './writers.ts';

const MAX_ITEMS = 3;

interface Asked {
  readonly app: App;
  readonly key: string;
  readonly productIds: readonly string[];
  readonly loses: MediaHistory['loses'];
}

/**
 * An import of images under a key of its own, each for one of the products, until it is taken on:
 * it ends by itself.
 */
export const importOnce = async (world: World, { app, key, productIds, loses }: Asked): Promise<void> => {
  const { random, history, images } = world;
  const items: MediaItem[] = [];
  const count = 1 + random.below(MAX_ITEMS);
  for (let at = 0; at < count; at += 1)
    items.push({ ...(await images.draw(random, `${key}/${at}`)), productId: random.pick(productIds) });
  const attempts: Attempt[] = [];
  history.media.push({ installationId: app.installationId, storeId: app.storeId, key, items, attempts, loses });
  const ask = {
    method: 'POST',
    path: '/apps/media/imports',
    headers: { ...app.headers, 'idempotency-key': key },
    body: JSON.stringify({ items: items.map(({ sourceUrl, productId }) => ({ sourceUrl, productId })) }),
  } as const;
  await askUnderKey(world, ask, attempts);
};

/** For a product that is deleted while its images come. */
const importAndDelete = async (world: World, app: App, key: string): Promise<void> => {
  const productId = await createProduct(world, app.storeId);
  await importOnce(world, { app, key, productIds: [productId], loses: 'product' });
  await pause(world.random.between(0, 500));
  await deleteProduct(world, app.storeId, productId);
};

/** Imports images until the round is over. `pace`: the most milliseconds between two imports. */
export const importer = async (world: World, shops: readonly Shop[], name: string, paceMs: number): Promise<void> => {
  const { random, clock } = world;
  for (let n = 1; !clock.isOver(); n += 1) {
    const { apps, productIds } = random.pick(shops);
    const app = random.pick(apps);
    const key = `${name}-${n}`;
    if (random.chance(0.1)) await importAndDelete(world, app, key);
    else await importOnce(world, { app, key, productIds, loses: null });
    await pause(random.between(0, paceMs));
  }
};
