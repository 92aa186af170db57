import {
  MAX_ITEM_BYTES,
  type LiveBatch,
  type LiveChannel,
  type LiveItem,
  type LiveSubject,
} from '../../src/domain/ports/webhooks/live-channel.ts';

interface Watcher {
  readonly node: object;
  readonly subject: LiveSubject;
  readonly onBatch: (batch: LiveBatch) => void;
}

export interface MemoryLive {
  node(): LiveChannel;
  /** Ends the node without a word to the others. */
  kill(node: LiveChannel): void;
}

const fits = (item: LiveItem): boolean => Buffer.byteLength(JSON.stringify(item)) <= MAX_ITEM_BYTES;

export const createLiveChannel = (): MemoryLive => {
  const watchers = new Set<Watcher>();
  const endAll = (node: object): void => {
    for (const watcher of watchers) if (watcher.node === node) watchers.delete(watcher);
  };

  const node = (): LiveChannel => {
    const self: LiveChannel = {
      isWatched: (subject) => [...watchers].some((watcher) => watcher.subject === subject),
      isIdle: () => watchers.size === 0,
      publish: (subject, items) => {
        const passed = items.filter(fits);
        for (const watcher of [...watchers].filter((one) => one.subject === subject)) {
          const isHere = watcher.node === self;
          watcher.onBatch(isHere ? { items, dropped: 0 } : { items: passed, dropped: items.length - passed.length });
        }
      },
      watch: (subject, onBatch) => {
        const watcher = { node: self, subject, onBatch };
        watchers.add(watcher);
        return () => {
          watchers.delete(watcher);
        };
      },
      close: async () => {
        endAll(self);
      },
    };
    return self;
  };
  return { node, kill: endAll };
};
