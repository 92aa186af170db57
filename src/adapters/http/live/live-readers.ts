import type { LiveChannel } from '../../../domain/ports/webhooks/live-channel.ts';
import { storeKey, type StoreKey } from '../../../domain/store-key.ts';
import { LiveReader } from './live-reader.ts';
import { LiveSessions, type StreamSession } from './live-sessions.ts';
import { LiveShares, type FullShare } from './live-shares.ts';
import { LiveStore, type FindStore, type WatchedStore } from './live-store.ts';

export const HEARTBEAT_SECONDS = 15;

export interface LiveReadersOptions {
  readonly channel: Pick<LiveChannel, 'watch'>;
  readonly find: FindStore;
  readonly heartbeatMs?: number;
}

export interface Watcher {
  /** Null is the holder of the admin token. */
  readonly operatorId: string | null;
  /** Null where the stream lasts as long as the node. */
  readonly session: StreamSession | null;
}

export interface LiveReaders {
  /**
   * A stream of what happens in the store from now on, until its session ends or the store is erased. Says who has all their
   * streams when it is refused.
   */
  open(store: WatchedStore, watcher: Watcher): LiveReader | FullShare;
  /** Ends the streams of a session that has ended on this node. Elsewhere they end at the next heartbeat. */
  endSession(id: string): void;
  /**
   * Ends the streams of all sessions that have ended and of all stores that are erased, and follows stores to their present
   * domains: now rather than at the next heartbeat of this node.
   */
  judge(): Promise<void>;
  count(): number;
  slow(): number;
  close(): void;
}

export const createLiveReaders = ({
  channel,
  find,
  heartbeatMs = HEARTBEAT_SECONDS * 1_000,
}: LiveReadersOptions): LiveReaders => {
  const stores = new Map<StoreKey, LiveStore>();
  const readers = new Set<LiveReader>();
  const sessions = new LiveSessions();
  const shares = new LiveShares();
  let isClosed = false;
  const judge = async (): Promise<void> => {
    await Promise.allSettled([sessions.judge(), ...[...stores.values()].map((store) => store.renew())]);
  };
  const heartbeat = setInterval(() => {
    for (const reader of readers) reader.beat();
    void judge();
  }, heartbeatMs).unref();

  return {
    open: (store, { operatorId, session }) => {
      const full = isClosed ? 'node' : shares.full(operatorId);
      if (full !== null) return full;
      const reader = new LiveReader();
      const key = storeKey(store.id);
      const of = stores.get(key) ?? new LiveStore(store, { channel, find });
      stores.set(key, of);
      readers.add(reader);
      shares.add(operatorId, reader);
      if (session) sessions.add(session, reader);
      of.readers.add(reader);
      reader.once('close', () => {
        readers.delete(reader);
        of.readers.delete(reader);
        if (of.readers.size > 0) return;
        of.close();
        if (stores.get(key) === of) stores.delete(key);
      });
      return reader;
    },
    endSession: (id) => {
      sessions.end(id);
    },
    judge,
    count: () => readers.size,
    slow: () => [...readers].filter(({ isSlow }) => isSlow).length,
    close: () => {
      isClosed = true;
      clearInterval(heartbeat);
      for (const reader of readers) reader.finish();
    },
  };
};
