import type { FeedSignal } from '../../../../domain/ports/webhooks/feed-signal.ts';
import { storeKey, type StoreKey } from '../../../../domain/store-key.ts';
import { openDeadline } from '../../../startup/deadline.ts';
import type { NodeSession } from '../../connection/node-session.ts';
import type { Sql } from '../../connection/sql.ts';
import { statement } from '../../connection/statement.ts';
import { topicKey, notifyFeed } from '../../work/feed-wake.ts';
import { FeedWatches } from './feed-watches.ts';

export interface FeedSignalOptions {
  readonly session: NodeSession;
  /** For looks at the feeds. One that fails, as on a Citus cluster with a worker away, does not end the connection that hears. */
  readonly sql: Sql;
  readonly onError?: (error: unknown) => void;
}

/**
 * A worker may end between its fan-out and the announcement, and a connection may be lost. So a node
 * with waiting requests looks at the feeds of their stores this often, in one statement.
 */
const LOOK_MS = 2_000;

const HEADS = statement({
  text: 'SELECT store_id AS "storeId", head FROM feed_heads WHERE store_id = ANY ($storeIds)',
  parameters: { storeIds: 'uuid[]' },
  row: { storeId: 'uuid', head: 'int8' },
});

/**
 * Hears and reports over the session of this node. The first watch or announcement opens it.
 * Announcements that come while one is under way leave together.
 */
export const createFeedSignal = ({ session, sql, onError }: FeedSignalOptions): FeedSignal => {
  const watches = new FeedWatches();
  const announced = new Set<string>();
  let heads = new Map<StoreKey, string>();
  let isAnnouncing = false;
  let isLooking = false;
  let isClosed = false;

  const ignore = session.listen('feed', {
    onMessage: (topic) => {
      watches.wake(topic);
    },
    onEnd: () => {
      heads = new Map();
    },
  });

  /** A store that was not looked at before counts as changed: nobody knows what was missed. */
  const look = async (): Promise<void> => {
    const storeIds = watches.storeIds();
    if (storeIds.length === 0) return;
    // Opens the connection again where it has ended: nobody hears meanwhile, and all feeds count as changed.
    await session.open();
    const rows = await sql.rows(HEADS, { storeIds });
    for (const { storeId, head } of rows) if (heads.get(storeKey(storeId)) !== head) watches.wake(topicKey('store', storeId));
    heads = new Map(rows.map(({ storeId, head }) => [storeKey(storeId), head]));
  };
  const looking = setInterval(() => {
    if (isLooking || isClosed) return;
    isLooking = true;
    look()
      .catch((error: unknown) => onError?.(error))
      .finally(() => {
        isLooking = false;
      });
  }, LOOK_MS).unref();

  const report = async (): Promise<void> => {
    while (announced.size > 0) {
      const topics = [...announced];
      announced.clear();
      await notifyFeed((await session.open()).sql, topics);
    }
  };

  return {
    announce: (storeId) => {
      if (isClosed) return;
      const topic = topicKey('store', storeId);
      watches.wake(topic);
      announced.add(topic);
      if (isAnnouncing) return;
      isAnnouncing = true;
      report()
        .catch((error: unknown) => onError?.(error))
        .finally(() => {
          isAnnouncing = false;
        });
    },
    watch: async (watcher, seconds, signal) => {
      await session.open();
      return watches.open(watcher, openDeadline(seconds * 1000, signal));
    },
    endWatches: () => {
      watches.endAll();
    },
    close: () => {
      isClosed = true;
      clearInterval(looking);
      watches.endAll();
      ignore();
      return Promise.resolve();
    },
  };
};
