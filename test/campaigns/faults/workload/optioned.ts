import { setTimeout as pause } from 'node:timers/promises';

import type { World } from '../world.ts';
import { install, replace, subscribe, type Shop } from './shop.ts';

const PRODUCT_EVENTS = ['product.created', 'product.updated', 'product.deleted', 'inventory.updated'];
const GATHER = { quietSeconds: 1, maxSeconds: 3 };

/** Two subscriptions of each of these shops, from whose bodies a receiver makes a copy of its products. */
export const copied = async (world: World, shops: readonly Shop[]): Promise<void> => {
  const products = { eventTypes: PRODUCT_EVENTS, include: ['product'], order: 'resource' };
  for (const { apps } of shops) {
    const [app] = apps;
    if (!app) continue;
    await subscribe(world, app, { option: 'copy', ...products });
    await subscribe(world, app, { option: 'gathered copy', gather: GATHER, ...products });
  }
};

/**
 * Subscriptions that gather and filter, of apps that stay; and one whose place another takes, while its deliveries
 * queue up.
 */
export const optioned = async (world: World, [shop]: readonly Shop[], paceMs: number): Promise<void> => {
  if (shop === undefined) return;
  const { random, clock } = world;
  const gathering = await install(world, shop, 0);
  const [filtering] = shop.apps;
  const moving = await install(world, shop, 200);
  if (!gathering || !filtering || !moving) return;
  await subscribe(world, gathering, { option: 'gather', eventTypes: ['product.updated'], gather: GATHER });
  // The app writes as well: its filter keeps its own events away.
  const filter = { all: [{ origin: 'not_self' }] };
  await subscribe(world, filtering, { option: 'filter', eventTypes: ['product.created', 'product.updated'], filter });
  let present = await subscribe(world, moving, { option: 'replaced' });
  while (present && !clock.isOver()) {
    await pause(random.between(0, paceMs));
    present = await replace(world, moving, present);
  }
};
