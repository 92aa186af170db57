import type { FeedSignal } from '../../../domain/ports/feed-signal.ts';
import { FeedWatches, topicKey } from '../../../domain/webhooks/feed-watches.ts';
import type { FeedTopic } from '../../../domain/webhooks/feed-watches.ts';
import type { MemoryState } from '../state.ts';

/** Has the requests that wait for the feed check their rights. */
export const wakeFeed = (state: MemoryState, topic: FeedTopic, id: string): void => {
  for (const listen of state.listeners) listen(topicKey(topic, id));
};

/** One node over the state. */
export const createFeedSignal = (state: MemoryState): FeedSignal => {
  const watches = new FeedWatches();
  const listen = (topic: string): void => {
    watches.wake(topic);
  };
  state.listeners.add(listen);
  return {
    announce: (storeId) => {
      wakeFeed(state, 'store', storeId);
    },
    watch: (watcher, seconds, signal) =>
      Promise.resolve(watches.open(watcher, AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)]))),
    endWatches: () => {
      watches.endAll();
    },
    close: () => {
      watches.endAll();
      state.listeners.delete(listen);
      return Promise.resolve();
    },
  };
};
