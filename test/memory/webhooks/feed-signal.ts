import type { FeedSignal } from '../../../src/domain/ports/webhooks/feed-signal.ts';
import { FeedWatches } from '../../../src/adapters/prisma/webhooks/feed/feed-watches.ts';
import { topicKey, type FeedTopic } from '../../../src/adapters/prisma/work/feed-wake.ts';
import { openDeadline } from '../../../src/adapters/startup/deadline.ts';
import type { MemoryState } from '../state.ts';

export const wakeFeed = (state: MemoryState, topic: FeedTopic, id: string): void => {
  for (const listen of state.listeners) listen(topicKey(topic, id));
};

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
    watch: (watcher, seconds, signal) => Promise.resolve(watches.open(watcher, openDeadline(seconds * 1000, signal))),
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
