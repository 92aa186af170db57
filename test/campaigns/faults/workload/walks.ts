import { setTimeout as pause } from 'node:timers/promises';

import { now, type Answer, type WalkHistory } from '../history.ts';
import type { World } from '../world.ts';
import { type Ask } from '../../kit/merchant.ts';
import { send } from './client.ts';
import type { App, Shop } from './shop.ts';

/** Odd, so that pages end within the events of one write. */
const TAKE = 7;
const WAIT_SECONDS = 1;

interface Page {
  readonly items: readonly { readonly id: string }[];
  readonly next: string;
  readonly more: boolean;
}

export interface Walker {
  /** Resolves once the round is over. */
  readonly walking: Promise<void>;
  /** Reads the rest. Call it when every event is fanned out. */
  finish(): Promise<void>;
}

interface Expiry {
  readonly reason: string;
  readonly oldest: string;
}

/**
 * An app's client reads the feed from its beginning, and continues with each `next`, or at `oldest` where the server says
 * that it lost events. A late one is away during a failover, and so has no request that waits in a node.
 */
const openWalker = (world: World, { installationId, storeId, headers }: App, isLate: boolean): Walker => {
  const walk: WalkHistory = { storeId, installationId, pages: [], resets: [] };
  world.history.walks.push(walk);
  let after: string | null = null;
  const askFor = (wait: number): Ask => {
    const path = `/apps/events?take=${TAKE}&wait=${wait}${after === null ? '' : `&after=${after}`}`;
    return { method: 'GET', path, headers };
  };
  /** Returns true when there is more to read at once. */
  const keep = ({ status, body }: Answer): boolean => {
    if (status === 410) {
      const { reason, oldest } = JSON.parse(body) as Expiry;
      walk.resets.push({ reason, pages: walk.pages.length });
      after = oldest;
      return true;
    }
    const { items, next, more } = JSON.parse(body) as Page;
    walk.pages.push({ at: now(), ids: items.map(({ id }) => id), text: body, next, more });
    after = next;
    return more;
  };
  const walkOn = async (): Promise<void> => {
    while (!world.clock.isOver()) {
      if (isLate) await world.late.absence?.opened;
      const nodes = world.fleet.apis();
      const attempt = nodes.length > 0 ? await send(world.random.pick(nodes), askFor(isLate ? 0 : WAIT_SECONDS)) : null;
      if (attempt) world.history.others.push({ name: 'feed', attempt });
      if (attempt?.answer && [200, 410].includes(attempt.answer.status)) keep(attempt.answer);
      await pause(world.random.between(0, 50));
    }
  };
  return {
    walking: walkOn(),
    finish: async () => {
      for (let hasMore = true; hasMore;) {
        const [node] = world.fleet.apis();
        const { answer } = node ? await send(node, askFor(0)) : { answer: null };
        if (!answer || ![200, 410].includes(answer.status))
          throw new Error(`the feed was not answered: ${answer?.status ?? 'no process'}`);
        hasMore = keep(answer);
      }
    },
  };
};

/** Opens a reader in each shop, and beside failovers a late one. */
export const openWalkers = (world: World, shops: readonly Shop[]): Walker[] =>
  shops.flatMap(({ apps }) => apps.slice(0, world.failovers ? 2 : 1).map((app, at) => openWalker(world, app, at > 0)));
