import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import type { Attempt, WriteHistory } from '../history.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import { asMerchant } from '../../kit/merchant.ts';
import { insist, settle } from './client.ts';
import type { Shop } from './shop.ts';

/** Repeats a write until it is answered, and sometimes again. */
const write = async (
  world: World,
  kind: WriteHistory['kind'],
  ids: readonly string[],
  type: string,
  ask: ReturnType<typeof asMerchant>,
  storeId: string,
): Promise<void> => {
  const attempts: Attempt[] = [];
  world.history.writes.push({ storeId, kind, ids, type, attempts });
  const record = (attempt: Attempt): void => void attempts.push(attempt);
  const answer = await insist(world, ask, record);
  if (answer && world.random.chance(0.1)) await insist(world, ask, record);
};

/** Orders are paid, each under an id of the merchant's own. */
export const orders = async (world: World, shops: readonly Shop[], paceMs: number): Promise<void> => {
  const { random, clock } = world;
  while (!clock.isOver()) {
    const { storeId } = random.pick(shops);
    const id = randomUUID();
    const ask = asMerchant('POST', `/stores/${storeId}/events`, { type: 'order.paid', id, data: { id: `order-${id}` } });
    await write(world, 'event', [id], 'order.paid', ask, storeId);
    await pause(random.between(0, paceMs));
  }
};

const documentOf = (random: Random, id: string): object => ({
  id,
  // Few names, so that the slugs that are derived of them clash.
  name: `Imported ${random.below(5)}`,
  status: random.pick(['Active', 'Draft']),
  variants: Array.from({ length: 1 + random.below(3) }, (_, k) => ({
    sku: `${id}-${k}`,
    currency: 'EUR',
    price: random.below(10_000) / 100,
    inventory: [{ warehouseId: '00000000-0000-4000-9000-000000000001', available: random.below(50), onHand: 50, reserved: 0 }],
  })),
  media: [
    { contentType: 'image/png', storageKey: `k/${id}`, url: `https://cdn.example/${id}/${random.below(9)}.png`, sizeBytes: 1 },
  ],
});

const importProducts = (world: World, storeId: string, ids: readonly string[], lines: readonly string[]): Promise<void> =>
  write(
    world,
    'import',
    ids,
    'product.created',
    asMerchant('POST', `/stores/${storeId}/products/import`, lines.join('\n')),
    storeId,
  );

/** A product that nobody imports again. Its id. */
export const createProduct = async (world: World, storeId: string): Promise<string> => {
  const id = randomUUID();
  await importProducts(world, storeId, [id], [JSON.stringify(documentOf(world.random, id))]);
  return id;
};

export const deleteProduct = async (world: World, storeId: string, id: string): Promise<void> => {
  await settle(world, 'delete product', asMerchant('DELETE', `/stores/${storeId}/products/${id}`));
};

/**
 * Imports of new products, with earlier ones that change their prices and stock along; some are
 * deleted in the end.
 */
export const imports = async (world: World, shops: readonly Shop[], paceMs: number): Promise<void> => {
  const { random, clock } = world;
  const known = new Map(shops.map(({ storeId }) => [storeId, [] as string[]]));
  while (!clock.isOver()) {
    const { storeId } = random.pick(shops);
    const old = known.get(storeId) ?? [];
    const ids = Array.from({ length: 1 + random.below(8) }, () => randomUUID());
    const lines = [...ids, ...random.shuffled(old).slice(0, 3)].map((id) => JSON.stringify(documentOf(random, id)));
    await importProducts(world, storeId, ids, lines);
    if (old.length > 20) {
      const [gone] = old.splice(random.below(old.length), 1);
      if (gone !== undefined) await deleteProduct(world, storeId, gone);
    }
    old.push(...ids);
    await pause(random.between(0, paceMs));
  }
};
