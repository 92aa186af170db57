import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from 'undici';

import type { Node } from '../environment/fleet.ts';
import type { Attempt } from '../history.ts';
import type { Probe, ProbeName } from '../outage.ts';
import type { World } from '../world.ts';
import { asMerchant, type Ask } from '../../kit/merchant.ts';
import { insist, isOpen, send } from './client.ts';
import type { App, Shop } from './shop.ts';
import { bulkOf } from './writers.ts';

export interface Probing {
  /** In the order in which they ended. */
  readonly probes: readonly Probe[];
  /** Begins no more of them. Resolves once the last has ended. */
  stop(): Promise<void>;
}

/** A late answer comes by then. What comes later hangs. */
const PATIENCE_MS = 16_000;
const PAUSE_MS = 150;
const FEED_WAIT_S = 2;
/** Each waits for its answer before it writes again, so a slow answer is a lower rate. */
const WRITERS = 2;

let writes = 0;

/**
 * Sends every kind of request to every node, one after the other of each kind, and waits for each
 * answer for a long time. Only these write to the shop.
 */
export const startProbes = (world: World, shop: Shop): Probing => {
  const probes: Probe[] = [];
  const stopping = new AbortController();
  const dispatcher = new Agent({ connect: { timeout: PATIENCE_MS }, headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS });
  const [app] = shop.apps as readonly [App];

  const probe = async (node: Node, name: ProbeName, ask: Ask, waitMs = 0): Promise<Attempt> => {
    const attempt = await send(node, ask, dispatcher);
    probes.push({ ...attempt, name, waitMs });
    return attempt;
  };
  const read = async (node: Node, name: ProbeName, ask: Ask): Promise<void> => {
    world.history.others.push({ name, attempt: await probe(node, name, ask) });
  };
  const write = async (node: Node): Promise<void> => {
    writes += 1;
    const key = `probe-${writes}`;
    const mark = { productId: world.random.pick(shop.productIds), value: `${key}/0` };
    const attempts: Attempt[] = [];
    world.history.keys.push({ ...app, key, marks: [mark], attempts, intruder: null });
    const ask = bulkOf(app, key, [{ id: mark.productId, metaTitle: mark.value }]);
    const first = await probe(node, 'write', ask);
    attempts.push(first);
    if (!first.answer || isOpen(first.answer)) await insist(world, ask, (attempt) => void attempts.push(attempt));
  };
  const readFeed = (): ((node: Node) => Promise<void>) => {
    let after = '';
    return async (node) => {
      const path = `/apps/events?take=50&wait=${FEED_WAIT_S}${after}`;
      const attempt = await probe(node, 'feed', { method: 'GET', path, headers: app.headers }, FEED_WAIT_S * 1000);
      world.history.others.push({ name: 'feed', attempt });
      if (attempt.answer?.status === 200) after = `&after=${(JSON.parse(attempt.answer.body) as { next: string }).next}`;
    };
  };
  const list: Ask = { method: 'GET', path: '/apps/catalog/products?take=5', headers: app.headers };
  const adminList = asMerchant('GET', `/stores/${shop.storeId}/products?take=5`);
  const readyz: Ask = { method: 'GET', path: '/readyz', headers: {} };

  const repeat = async (node: Node, once: (node: Node) => Promise<void>): Promise<void> => {
    while (!stopping.signal.aborted) {
      await once(node);
      await pause(PAUSE_MS);
    }
  };
  const running = world.fleet
    .apis()
    .flatMap((node) => [
      ...Array.from({ length: WRITERS }, () => repeat(node, write)),
      repeat(node, readFeed()),
      repeat(node, () => read(node, 'list of products', list)),
      repeat(node, () => read(node, 'token', app.signIn)),
      repeat(node, () => read(node, 'admin list', adminList)),
      repeat(node, () => read(node, 'readyz', readyz)),
    ]);
  return {
    probes,
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
      await dispatcher.close();
    },
  };
};
