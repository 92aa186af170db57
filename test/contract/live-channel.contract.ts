import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import {
  domainSubject,
  type LiveBatch,
  type LiveChannel,
  type LiveItem,
  type LiveSubject,
} from '../../src/domain/ports/webhooks/live-channel.ts';
import { storeKey } from '../../src/domain/store-key.ts';

export interface LiveWorld {
  node(): LiveChannel;
  /** Ends the node without a word to the others. */
  kill(node: LiveChannel): Promise<void>;
  close(): Promise<void>;
}

const STORE: LiveSubject = storeKey('019a0000-0000-7000-8000-000000000001');
const OTHER: LiveSubject = domainSubject('other.example');

const anEvent = (id: string): LiveItem => ({
  kind: 'event',
  id,
  type: 'order.paid',
  resourceId: 'größer',
  requestId: null,
  at: '2026-11-22T21:00:00.000Z',
});

export const liveChannelContract = (name: string, open: () => Promise<LiveWorld>) => {
  describe(`LiveChannel on ${name}`, () => {
    let world: LiveWorld;
    let a: LiveChannel;
    let b: LiveChannel;
    beforeEach(async () => {
      world = await open();
      [a, b] = [world.node(), world.node()];
    });
    afterEach(async () => {
      await Promise.all([a.close(), b.close()]);
      await world.close();
    });

    interface Watching {
      readonly batches: LiveBatch[];
      readonly items: LiveItem[];
      readonly end: () => void;
    }
    const begin = (node: LiveChannel, subject: LiveSubject = STORE): Watching => {
      const batches: LiveBatch[] = [];
      const items: LiveItem[] = [];
      const end = node.watch(subject, (batch) => {
        batches.push(batch);
        items.push(...batch.items);
      });
      return { batches, items, end };
    };
    const isWatched = (node: LiveChannel, subject: LiveSubject = STORE) => expect.poll(() => node.isWatched(subject));
    /** Publishes until the watcher has an item, since its node may begin to receive a little later. */
    const flowing = async (from: LiveChannel, to: Watching) => {
      await isWatched(from).toBe(true);
      await expect
        .poll(() => {
          from.publish(STORE, [anEvent('first')]);
          return to.items.length > 0;
        })
        .toBe(true);
      from.publish(STORE, [anEvent('begun')]);
      await expect.poll(() => to.items.at(-1)).toEqual(anEvent('begun'));
      to.items.length = 0;
      to.batches.length = 0;
    };

    describe('isWatched', () => {
      it('Returns whether a watcher on any node watches the subject.', async () => {
        expect([a.isWatched(STORE), b.isWatched(STORE)]).toEqual([false, false]);
        begin(a);
        expect(a.isWatched(STORE)).toBe(true);
        await isWatched(b).toBe(true);
        await isWatched(world.node()).toBe(true);
        expect([a.isWatched(OTHER), b.isWatched(OTHER)]).toEqual([false, false]);
      });

      describe('Returns false again when the last watcher has ended, or when its node has died.', () => {
        it('ended', async () => {
          const [first, second, elsewhere] = [begin(a), begin(a), begin(b)];
          const c = world.node();
          await isWatched(c).toBe(true);
          first.end();
          elsewhere.end();
          await isWatched(b).toBe(true);
          expect([a.isWatched(STORE), c.isWatched(STORE)]).toEqual([true, true]);
          second.end();
          second.end();
          await isWatched(a).toBe(false);
          await isWatched(b).toBe(false);
          await isWatched(c).toBe(false);
        });

        it('died', async () => {
          const c = world.node();
          begin(c);
          await isWatched(a).toBe(true);
          await world.kill(c);
          await isWatched(a).toBe(false);
          await isWatched(b).toBe(false);
        });
      });
    });

    describe('isIdle', () => {
      it('Returns whether nobody watches anything.', async () => {
        expect([a.isIdle(), b.isIdle()]).toEqual([true, true]);
        const watching = begin(a);
        expect(a.isIdle()).toBe(false);
        await expect.poll(() => b.isIdle()).toBe(false);
        watching.end();
        expect(a.isIdle()).toBe(true);
        await expect.poll(() => b.isIdle()).toBe(true);
      });
    });

    describe('publish', () => {
      it('Passes the items to every watcher of the subject, on every node, in their order.', async () => {
        const [here, alsoHere, there, other] = [begin(a), begin(a), begin(b), begin(b, OTHER)];
        await flowing(a, there);
        for (const { items } of [here, alsoHere]) items.length = 0;
        const sent = Array.from({ length: 500 }, (_, k) => anEvent(String(k)));
        for (const item of sent) a.publish(STORE, [item]);
        expect([here.items, alsoHere.items]).toEqual([sent, sent]);
        await expect.poll(() => there.items).toEqual(sent);
        expect([here, there].flatMap(({ batches }) => batches).filter(({ dropped }) => dropped > 0)).toEqual([]);
        expect(other.items).toEqual([]);
      });

      it('Does nothing when nobody watches the subject.', async () => {
        const other = begin(b, OTHER);
        await isWatched(a, OTHER).toBe(true);
        a.publish(STORE, [anEvent('unseen')]);
        a.publish(OTHER, [anEvent('seen')]);
        await expect
          .poll(() => {
            a.publish(OTHER, [anEvent('seen')]);
            return other.items.length > 0;
          })
          .toBe(true);
        expect(other.items.filter((item) => item.kind !== 'event' || item.id !== 'seen')).toEqual([]);
      });

      it('Reports to the watchers on other nodes as dropped what has more than 7,000 bytes.', async () => {
        const [here, there] = [begin(a), begin(b)];
        await flowing(a, there);
        here.items.length = 0;
        const sent = [anEvent('small'), { ...anEvent('large'), resourceId: 'ü'.repeat(3_500) }, anEvent('small too')] as const;
        a.publish(STORE, sent);
        expect(here.items).toEqual(sent);
        await expect.poll(() => there.items).toEqual([sent[0], sent[2]]);
        await expect.poll(() => there.batches.reduce((sum, { dropped }) => sum + dropped, 0)).toBe(1);
      });
    });

    describe('watch', () => {
      it('Calls `onBatch` with what is published.', async () => {
        const watching = begin(b);
        await flowing(a, watching);
        a.publish(STORE, [anEvent('one'), anEvent('two')]);
        await expect.poll(() => watching.batches).toEqual([{ items: [anEvent('one'), anEvent('two')], dropped: 0 }]);
      });

      it('Returns a function that ends it.', async () => {
        const [ended, other] = [begin(a), begin(a)];
        await flowing(b, other);
        ended.items.length = 0;
        ended.end();
        b.publish(STORE, [anEvent('later')]);
        await expect.poll(() => other.items).toEqual([anEvent('later')]);
        expect(ended.items).toEqual([]);
      });
    });

    describe('close', () => {
      it('Ends all watchers of this node.', async () => {
        const [closed, other] = [begin(a), begin(a, OTHER)];
        await isWatched(b).toBe(true);
        await isWatched(b, OTHER).toBe(true);
        await a.close();
        await isWatched(b).toBe(false);
        await isWatched(b, OTHER).toBe(false);
        b.publish(STORE, [anEvent('late')]);
        expect([closed.items, other.items]).toEqual([[], []]);
      });
    });
  });
};
