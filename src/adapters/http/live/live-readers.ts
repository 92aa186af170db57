import type { LiveChannel } from '../../../domain/ports/live-channel.ts';
import { LiveReader } from './live-reader.ts';
import { LiveStore } from './live-store.ts';

/** Readers of one node at once. */
export const MAX_LIVE_READERS = 200;
export const HEARTBEAT_SECONDS = 15;

export interface LiveReadersOptions {
  readonly heartbeatMs?: number;
}

export interface LiveReaders {
  /** A stream of what happens in the store from now on. Null when this node has all its readers. */
  open(store: { readonly id: string; readonly domain: string }): LiveReader | null;
  count(): number;
  /** Readers that miss items now. */
  slow(): number;
  /** Ends every stream, and opens none from then on. */
  close(): void;
}

export const createLiveReaders = (
  channel: Pick<LiveChannel, 'watch'>,
  { heartbeatMs = HEARTBEAT_SECONDS * 1_000 }: LiveReadersOptions = {},
): LiveReaders => {
  const stores = new Map<string, LiveStore>();
  const readers = new Set<LiveReader>();
  let isClosed = false;
  const heartbeat = setInterval(() => {
    for (const reader of readers) reader.beat();
  }, heartbeatMs).unref();

  const storeOf = ({ id, domain }: { readonly id: string; readonly domain: string }): LiveStore => {
    const found = stores.get(id) ?? new LiveStore(channel, [id, domain]);
    stores.set(id, found);
    return found;
  };

  return {
    open: (store) => {
      if (isClosed || readers.size >= MAX_LIVE_READERS) return null;
      const reader = new LiveReader();
      const of = storeOf(store);
      readers.add(reader);
      of.readers.add(reader);
      reader.once('close', () => {
        readers.delete(reader);
        of.readers.delete(reader);
        if (of.readers.size > 0) return;
        of.close();
        if (stores.get(store.id) === of) stores.delete(store.id);
      });
      return reader;
    },
    count: () => readers.size,
    slow: () => [...readers].filter(({ isSlow }) => isSlow).length,
    close: () => {
      isClosed = true;
      clearInterval(heartbeat);
      for (const reader of readers) reader.finish();
    },
  };
};
