import { setTimeout as pause } from 'node:timers/promises';

import type { Attempt, KeyHistory, Mark } from '../history.ts';
import { count } from '../injected.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import { type Ask } from '../../kit/merchant.ts';
import { insist, leave, PHASES, send } from './client.ts';
import type { App, Shop } from './shop.ts';

/** So few names that writers get into each other's way. */
const SLUGS = 12;
const MAX_ITEMS = 4;

export const bulkOf = (app: App, key: string, items: readonly object[]): Ask => ({
  method: 'POST',
  path: '/apps/catalog/products/bulk',
  headers: { ...app.headers, 'idempotency-key': key },
  body: JSON.stringify({ products: items }),
});

interface Drawn {
  readonly marks: readonly Mark[];
  readonly items: readonly object[];
}

/**
 * Changes of some products, including a few that all writers change. Each text is new. Slugs
 * sometimes conflict with those of others.
 */
const draw = (random: Random, { productIds }: Shop, key: string): Drawn => {
  const hot = productIds.slice(0, 6);
  const ids = random.shuffled(random.chance(0.5) ? hot : productIds).slice(0, 1 + random.below(MAX_ITEMS));
  const marks = ids.map((productId, at) => ({ productId, value: `${key}/${at}` }));
  const items = marks.map(({ productId, value }) => ({
    id: productId,
    metaTitle: value,
    ...(random.chance(0.2) && { slug: `wanted-${random.below(SLUGS)}` }),
  }));
  return { marks, items };
};

/** A client that goes away by itself, before it asks as a good one does. */
const goAway = async (world: World, ask: Ask, attempts: Attempt[]): Promise<void> => {
  const phase = world.random.pick(PHASES);
  const nodes = world.fleet.apis();
  if (nodes.length === 0) return;
  const attempt = await leave(world.random.pick(nodes), ask, phase);
  if (attempt) attempts.push(attempt);
  count(attempt ? world.injected.kinds : world.injected.missed, `client gone at ${phase}`);
};

/** Other bytes with a known key, which must always be refused. */
const intrude = async (
  world: World,
  app: App,
  key: string,
  { mark, attempts }: NonNullable<KeyHistory['intruder']>,
): Promise<void> => {
  const [node] = world.random.shuffled(world.fleet.apis());
  if (node) attempts.push(await send(node, bulkOf(app, key, [{ id: mark.productId, metaTitle: mark.value }])));
};

/**
 * Sends a request with a key, from one or several clients, until all are answered, and sometimes
 * again. False if the round gave up.
 */
export const askUnderKey = async (world: World, ask: Ask, attempts: Attempt[]): Promise<boolean> => {
  const { random } = world;
  const clients = random.chance(0.25) ? 2 + random.below(2) : 1;
  if (random.chance(0.12)) await goAway(world, ask, attempts);
  const record = (attempt: Attempt): void => void attempts.push(attempt);
  const answers = await Promise.all(Array.from({ length: clients }, () => insist(world, ask, record)));
  if (answers.includes(null)) return false;
  if (random.chance(0.2)) await insist(world, ask, record);
  return true;
};

/** Sends a bulk update under a new key. */
export const writeOnce = async (world: World, shop: Shop, app: App, key: string): Promise<void> => {
  const { random, history } = world;
  const { marks, items } = draw(random, shop, key);
  const attempts: Attempt[] = [];
  const intruder = random.chance(0.05)
    ? { mark: { productId: shop.productIds[0] ?? '', value: `${key}/intruder` }, attempts: [] }
    : null;
  history.keys.push({ installationId: app.installationId, storeId: app.storeId, key, marks, attempts, intruder });
  const answered = await askUnderKey(world, bulkOf(app, key, items), attempts);
  if (answered && intruder) await intrude(world, app, key, intruder);
};

/** Writes until the round is over. `pace`: the most milliseconds between two writes. */
export const writer = async (world: World, shops: readonly Shop[], name: string, paceMs: number): Promise<void> => {
  const { random, clock } = world;
  for (let n = 1; !clock.isOver(); n += 1) {
    const shop = random.pick(shops);
    await writeOnce(world, shop, random.pick(shop.apps), `${name}-${n}`);
    await pause(random.between(0, paceMs));
  }
};
