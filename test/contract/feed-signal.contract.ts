import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';

import type { FeedSignal, FeedWatch, FeedWatcher } from '../../src/domain/ports/webhooks/feed-signal.ts';
import type { Ports } from '../../src/domain/ports/index.ts';
import { collectGarbage } from '../support/collect-garbage.ts';
import { beforeAll } from './hooks.ts';

/** An app that may watch. */
export interface WatchingApp extends FeedWatcher {
  readonly installationId: string;
}

/** Nodes of one implementation, and what changes the rights of those who wait. */
export interface SignalWorld {
  readonly ports: Pick<Ports, 'installations' | 'stores' | 'tokens' | 'transaction'>;
  /** Adds a node. */
  node(): FeedSignal;
  /** An app with a store of its own. */
  anApp(): Promise<WatchingApp>;
  /** The connections to the database now. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

const LONG = 600;
const NEVER = new AbortController().signal;

export const feedSignalContract = (name: string, open: () => Promise<SignalWorld>): void => {
  describe(`FeedSignal on ${name}`, () => {
    let world: SignalWorld;
    let mine: FeedSignal;
    let other: FeedSignal;
    let app: WatchingApp;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.close());
    beforeEach(async () => {
      [mine, other] = [world.node(), world.node()];
      app = await world.anApp();
      return async () => {
        await Promise.all([mine.close(), other.close()]);
      };
    });
    const watching = async (node: FeedSignal, watcher: FeedWatcher = app, seconds = LONG, signal = NEVER): Promise<FeedWatch> => {
      const watch = await node.watch(watcher, seconds, signal);
      if (!watch) throw new Error('the watch was not opened');
      return watch;
    };

    it('Every node hears what another announces.', async () => {
      const [here, there] = [await watching(mine), await watching(other)];
      mine.announce(app.storeId);
      expect(await Promise.all([here.changed(), there.changed()])).toEqual([true, true]);
    });
    describe('A suspension, an uninstallation or a revocation of its tokens is a change for the installation.', () => {
      it('suspension', async () => {
        const watch = await watching(other);
        await world.ports.installations.update(app.storeId, app.installationId, { status: 'Suspended' });
        expect(await watch.changed()).toBe(true);
      });
      it('uninstallation', async () => {
        const watch = await watching(other);
        await world.ports.transaction.run(null, (tx) => tx.installations.uninstall(app.storeId, app.installationId));
        expect(await watch.changed()).toBe(true);
      });
      it('revocation', async () => {
        const watch = await watching(other);
        await world.ports.tokens.revokeAll(app.storeId, app.installationId);
        expect(await watch.changed()).toBe(true);
      });
    });
    it('A store that becomes inactive is a change for its installations.', async () => {
      const watch = await watching(other);
      await world.ports.stores.update(app.storeId, { status: 'Inactive' });
      expect(await watch.changed()).toBe(true);
    });
    it('A watch needs no connection to the database of its own.', async () => {
      const first = await watching(mine);
      const before = await world.connections();
      const others = await Promise.all(Array.from({ length: 20 }, async () => watching(mine, await world.anApp())));
      expect(await world.connections()).toBe(before);
      for (const watch of [first, ...others]) watch.end();
    });

    describe('announce', () => {
      it('Reports new events in the feed of the store.', async () => {
        const watch = await watching(mine);
        const elsewhere = await watching(mine, await world.anApp());
        let heard = false;
        void elsewhere.changed().then((isChanged) => {
          heard ||= isChanged;
        });
        mine.announce(app.storeId);
        expect(await watch.changed()).toBe(true);
        expect(heard).toBe(false);
      });
      it('Does not wait for the nodes.', () => {
        const announce: (storeId: string) => unknown = mine.announce;
        expect(announce(app.storeId)).toBeUndefined();
      });
    });

    describe('watch', () => {
      describe('Opens a watch that ends after this many seconds, or when the signal is aborted.', () => {
        it('the seconds', async () => {
          const short = await watching(mine, app, 0);
          expect(await short.changed()).toBe(false);
        });
        it('the seconds, with a garbage collection meanwhile', async () => {
          const short = await watching(mine, app, 0.2);
          const changed = short.changed();
          await sleep(0);
          collectGarbage();
          // A timer of this test comes after that of the watch.
          expect(await Promise.race([changed, sleep(1_000, 'lost')])).toBe(false);
        });
        it('the signal', async () => {
          const leaving = new AbortController();
          const long = await watching(mine, app, LONG, leaving.signal);
          const changed = long.changed();
          leaving.abort();
          expect(await changed).toBe(false);
        });
      });
      it('Returns null when the installation has two open watches on this node.', async () => {
        const [first] = [await watching(mine), await watching(mine)];
        expect(await mine.watch(app, LONG, NEVER)).toBeNull();
        await watching(other);
        await watching(mine, await world.anApp());
        first.end();
        await watching(mine);
      });
      it('Returns null when the merchant has twenty open watches of the store on this node.', async () => {
        const merchant = { storeId: app.storeId, installationId: null };
        const watches = await Promise.all(Array.from({ length: 20 }, () => watching(mine, merchant)));
        expect(await mine.watch(merchant, LONG, NEVER)).toBeNull();
        await watching(mine);
        await watching(mine, { storeId: (await world.anApp()).storeId, installationId: null });
        watches[0]?.end();
        const last = await watching(mine, merchant);
        mine.announce(app.storeId);
        expect(await last.changed()).toBe(true);
      });
    });

    describe('changed', () => {
      it('Resolves with true when the feed or the rights of the installation may have changed since the last call.', async () => {
        const watch = await watching(mine);
        mine.announce(app.storeId);
        mine.announce(app.storeId);
        expect(await watch.changed()).toBe(true);
        const next = watch.changed();
        mine.announce(app.storeId);
        expect(await next).toBe(true);
      });
      it('Resolves with false when the watch has ended.', async () => {
        const watch = await watching(mine);
        const waiting = watch.changed();
        watch.end();
        expect([await waiting, await watch.changed()]).toEqual([false, false]);
      });
    });

    describe('end', () => {
      it('Ends the watch.', async () => {
        const watch = await watching(mine);
        watch.end();
        expect(await watch.changed()).toBe(false);
      });
    });

    describe('close', () => {
      it('Hears and reports nothing more.', async () => {
        const watch = await watching(mine);
        await mine.close();
        mine.announce(app.storeId);
        expect(await watch.changed()).toBe(false);
      });
    });

    describe('endWatches', () => {
      it('Ends the watches of this node.', async () => {
        const [watch, away] = [await watching(mine), await watching(other)];
        mine.endWatches();
        expect(await watch.changed()).toBe(false);
        mine.announce(app.storeId);
        expect(await away.changed()).toBe(true);
      });
      it('A watch that is opened later has ended.', async () => {
        mine.endWatches();
        expect(await (await watching(mine)).changed()).toBe(false);
      });
    });
  });
};
