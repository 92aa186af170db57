import { setTimeout as pause } from 'node:timers/promises';

import { now, type Attempt } from '../history.ts';
import type { World } from '../world.ts';
import { insist, send } from './client.ts';
import type { Shop } from './shop.ts';
import { bulkOf } from './writers.ts';

const PAUSE_MS = 50;

/** Counts up in the first product, and reads from every node how far that is. Nobody else writes to it. */
export const countUp = async (world: World, shop: Shop): Promise<void> => {
  const { clock, fleet, history } = world;
  const [app] = shop.apps;
  const [productId = ''] = shop.productIds;
  if (!app) return;
  const write = async (): Promise<void> => {
    for (let n = 1; !clock.isOver(); n += 1) {
      const key = `count-${n}`;
      const attempts: Attempt[] = [];
      const marks = [{ productId, value: `${key}/0` }];
      history.keys.push({ installationId: app.installationId, storeId: app.storeId, key, marks, attempts, intruder: null });
      const ask = bulkOf(app, key, [{ id: productId, metaTitle: `${key}/0` }]);
      const answer = await insist(world, ask, (attempt) => void attempts.push(attempt));
      if (answer?.status === 200) history.sequence.writes.push({ n, answeredAt: now() });
      await pause(PAUSE_MS);
    }
  };
  const read = async (place: number): Promise<void> => {
    while (!clock.isOver()) {
      const node = fleet.apis()[place];
      if (node) {
        const attempt = await send(node, { method: 'GET', path: `/apps/catalog/products/${productId}`, headers: app.headers });
        history.others.push({ name: 'product', attempt });
        const { node: number, sentAt, endedAt, answer } = attempt;
        if (answer?.status === 200) {
          const { metaTitle } = JSON.parse(answer.body) as { metaTitle: string | null };
          const n = Number(/^count-(\d+)\//.exec(metaTitle ?? '')?.[1] ?? 0);
          history.sequence.reads.push({ node: number, sentAt, endedAt, n });
        }
      }
      await pause(PAUSE_MS);
    }
  };
  await Promise.all([write(), ...fleet.apis().map((_, place) => read(place))]);
};
