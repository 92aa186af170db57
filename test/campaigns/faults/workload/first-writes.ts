import { setTimeout as pause } from 'node:timers/promises';

import type { Node } from '../environment/fleet.ts';
import { now, type Attempt, type Moment } from '../history.ts';
import { query } from '../query.ts';
import type { World } from '../world.ts';
import { isOpen, send } from './client.ts';
import { bulkOf } from './writers.ts';

const PAUSE_MS = 25;
/** Writes that have not happened by then do not happen. */
const PATIENCE_MS = 30_000;

let writes = 0;

/** Writes to this node until the promoted server has one of the writes: the old primary may still answer some. */
const firstWrite = async (world: World, node: Node, productId: string, databaseUrl: string, since: Moment): Promise<number> => {
  const [app] = world.probed?.apps ?? [];
  if (!app) throw new Error('the round has no shop for probes');
  while (now() < since + PATIENCE_MS) {
    writes += 1;
    const key = `first-write-${writes}`;
    const mark = { productId, value: `${key}/0` };
    const attempts: Attempt[] = [];
    const { installationId, storeId } = app;
    world.history.keys.push({ installationId, storeId, key, marks: [mark], attempts, intruder: null });
    const ask = bulkOf(app, key, [{ id: productId, metaTitle: mark.value }]);
    let attempt = await send(node, ask);
    attempts.push(attempt);
    while ((!attempt.answer || isOpen(attempt.answer)) && now() < since + PATIENCE_MS) {
      await pause(PAUSE_MS);
      attempt = await send(node, ask);
      attempts.push(attempt);
    }
    const found = await query(databaseUrl, 'SELECT FROM products WHERE meta_title = $1', [mark.value]);
    if (attempt.answer?.status === 200 && found.length > 0) return attempt.endedAt - since;
  }
  return Infinity;
};

/**
 * Milliseconds from then to the first write of each node that answers requests. Each write is sent after that moment, so no
 * answer of the old primary that was on its way counts.
 */
export const firstWrites = (world: World, databaseUrl: string, since: Moment): Promise<number[]> =>
  Promise.all(
    // The first product is for the one that counts up.
    world.fleet.apis().map((node, at) => firstWrite(world, node, world.probed?.productIds[at + 1] ?? '', databaseUrl, since)),
  );
