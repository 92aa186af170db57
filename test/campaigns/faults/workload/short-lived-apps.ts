import { setTimeout as pause } from 'node:timers/promises';

import { now, type SubscriptionHistory } from '../history.ts';
import type { World } from '../world.ts';
import { asMerchant, type Ask } from '../../kit/merchant.ts';
import { settle } from './client.ts';
import { importOnce } from './importers.ts';
import { install, subscribe, type App, type Shop } from './shop.ts';
import { writeOnce } from './writers.ts';

/** Four at once and this slow, their deliveries queue up. */
const SLOW_MS = 700;

/** Asks for the removal until it is answered, and notes from when on nothing may be under way. Whether it was. */
const remove = async (
  world: World,
  name: string,
  ask: Ask,
  subscriptions: readonly SubscriptionHistory[],
  removed: readonly string[],
): Promise<boolean> => {
  for (const subscription of subscriptions) subscription.removalSentAt = now();
  const answer = await settle(world, name, ask);
  if (!answer) return false;
  for (const subscription of subscriptions) subscription.removedAt = now();
  for (const id of removed) world.receiver.removed.add(id);
  return true;
};

const unsubscribe = (world: World, app: App, subscription: SubscriptionHistory): Promise<boolean> => {
  const ask: Ask = { method: 'DELETE', path: `/apps/webhooks/subscriptions/${subscription.id}`, headers: app.headers };
  return remove(world, 'unsubscribe', ask, [subscription], [subscription.id]);
};

/** Subscriptions of an app that stays are made, and deleted while their deliveries queue up. */
export const subscribers = async (world: World, shops: readonly Shop[], paceMs: number): Promise<void> => {
  const { random, clock } = world;
  const apps: App[] = [];
  for (const shop of shops) {
    const app = await install(world, shop, SLOW_MS);
    if (app) apps.push(app);
  }
  while (!clock.isOver() && apps.length > 0) {
    const app = random.pick(apps);
    const made = await subscribe(world, app);
    await pause(random.between(0, paceMs));
    if (made) await unsubscribe(world, app, made);
  }
};

/** Apps come, subscribe, write and are uninstalled in the middle of it. */
export const shortLivedApps = async (world: World, shops: readonly Shop[], name: string, paceMs: number): Promise<void> => {
  const { random, clock } = world;
  for (let n = 1; !clock.isOver(); n += 1) {
    const shop = random.pick(shops);
    const app = await install(world, shop, SLOW_MS);
    if (!app) continue;
    const made = await subscribe(world, app);
    await pause(random.between(0, paceMs));
    const key = `${name}-${n}`;
    const writing =
      world.failovers?.isAsynchronous || random.chance(0.7)
        ? writeOnce(world, shop, app, key)
        : importOnce(world, { app, key, productIds: shop.productIds, loses: 'app' });
    const ask = asMerchant('POST', `/apps/${app.installationId}/uninstall`);
    const subscriptions = made ? [made] : [];
    const removed = [app.installationId, ...subscriptions.map(({ id }) => id)];
    const isGone = await remove(world, 'uninstall', ask, subscriptions, removed);
    if (isGone) world.history.uninstalls.push({ installationId: app.installationId, answeredAt: now(), signIn: app.signIn });
    await writing;
  }
};
