import type { PoolClient } from 'pg';
import { TenonError, type Tenon } from 'tenon-client';
import { receiver, type Receiver } from 'tenon-client/webhooks';

import type { Index } from './index.ts';

const TYPES = ['product.created', 'product.updated', 'product.deleted'] as const;

export interface Sync {
  readonly hooks: Receiver<PoolClient>;
  /** Subscribes this URL, unless it is subscribed already. */
  subscribe(url: string): Promise<void>;
  /** Reads the whole list at the first start, and afterwards the events since the last one. */
  catchUp(): Promise<void>;
}

/** Keeps the index in step with the store. */
export const createSync = (tenon: Tenon, index: Index, secrets: readonly string[]): Sync => {
  const nameOf = async (id: string): Promise<string | null> => {
    try {
      return (await tenon.products.get(id)).product.name;
    } catch (error) {
      if (error instanceof TenonError && error.code === 'not_found') return null;
      throw error;
    }
  };

  // Events may overtake each other, so an event says that something changed, and the API says what is there now.
  const hooks = receiver({ secrets, once: { begin: index.transaction, seen: index.seen } }).on(
    TYPES,
    async ({ type, data }, { tx }) => {
      // A body that would be too large has no `changedFields`.
      if (type === 'product.updated' && data.changedFields?.includes('name') === false) return;
      await index.lock(tx, data.id);
      await index.put(tx, data.id, await nameOf(data.id));
    },
  );

  const rebuild = () =>
    index.transaction(async (tx) => {
      await index.clear(tx);
      // The cursor first: what changes while the list is read comes by the feed.
      const { next } = await tenon.events.page({ after: 'latest' });
      for await (const { id, name } of tenon.products.list()) await index.put(tx, id, name);
      await index.saveCursor(next, tx);
    });

  return {
    hooks,
    subscribe: async (url) => {
      const subscriptions = await tenon.subscriptions.list();
      if (subscriptions.some((one) => one.url === url && one.isActive)) return;
      await tenon.subscriptions.create({ url, eventTypes: [...TYPES] });
    },
    catchUp: async () => {
      if ((await index.cursor()) === null) await rebuild();
      const { cursor, saveCursor } = index;
      const options = { types: TYPES, wait: 0, save: (next: string) => saveCursor(next), onExpired: rebuild };
      for await (const event of tenon.events.follow({ after: await cursor(), ...options })) await hooks.handle(event);
    },
  };
};
