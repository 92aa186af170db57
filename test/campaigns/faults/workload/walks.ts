import { setTimeout as pause } from 'node:timers/promises';

import type { Answer, WalkHistory } from '../history.ts';
import type { World } from '../world.ts';
import { send, settle, type Ask } from './client.ts';
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

/** An app's client reads the feed from its beginning, and continues with each `next`. */
const openWalker = (world: World, { installationId, storeId, headers }: App): Walker => {
  const walk: WalkHistory = { storeId, installationId, pages: [] };
  world.history.walks.push(walk);
  let after: string | null = null;
  const askFor = (wait: number): Ask => {
    const path = `/apps/events?take=${TAKE}&wait=${wait}${after === null ? '' : `&after=${after}`}`;
    return { method: 'GET', path, headers };
  };
  const keep = ({ body }: Answer): Page => {
    const page = JSON.parse(body) as Page;
    const { items, next, more } = page;
    walk.pages.push({ ids: items.map(({ id }) => id), text: body, next, more });
    after = next;
    return page;
  };
  const walkOn = async (): Promise<void> => {
    while (!world.clock.isOver()) {
      const answer = await settle(world, 'feed', askFor(WAIT_SECONDS));
      if (answer?.status === 200) keep(answer);
      await pause(world.random.between(0, 50));
    }
  };
  return {
    walking: walkOn(),
    finish: async () => {
      for (let hasMore = true; hasMore;) {
        const [node] = world.fleet.apis();
        const { answer } = node ? await send(node, askFor(0)) : { answer: null };
        if (answer?.status !== 200) throw new Error(`the feed was not answered: ${answer?.status ?? 'no process'}`);
        hasMore = keep(answer).more;
      }
    },
  };
};

/** One reader in each shop. */
export const openWalkers = (world: World, shops: readonly Shop[]): Walker[] =>
  shops.flatMap(({ apps }) => apps.slice(0, 1).map((app) => openWalker(world, app)));
