import { randomUUID } from 'node:crypto';

import type { LiveBatch, LiveChannel, LiveSubject } from '../../domain/ports/webhooks/live-channel.ts';
import type { NodeMessages } from '../../domain/ports/node-messages.ts';
import { LiveInterest } from './live-interest.ts';
import { LiveOutbox } from './live-outbox.ts';
import { readItems } from './live-wire.ts';

const RENEW_MS = 10_000;

type OnBatch = (batch: LiveBatch) => void;

export interface LiveChannelOptions {
  readonly messages: Pick<NodeMessages, 'send' | 'listen'>;
  /** Period in which a node repeats its interest; 10 s by default. */
  readonly renewMs?: number;
}

/**
 * Passes items within this process, and to other nodes that watch by messages. While nobody watches,
 * it sends nothing and looks at one map.
 */
export const createLiveChannel = ({ messages, renewMs = RENEW_MS }: LiveChannelOptions): LiveChannel => {
  const node = randomUUID();
  const watchers = new Map<LiveSubject, Set<OnBatch>>();
  const interest = new LiveInterest({ messages, node, renewMs, own: () => watchers.keys() });
  const outbox = new LiveOutbox(messages, node, (subject) => interest.has(subject));
  let stopItems: (() => void) | null = null;

  const pass = (subject: LiveSubject, batch: LiveBatch): void => {
    for (const onBatch of watchers.get(subject) ?? []) onBatch(batch);
  };
  const receive = (message: string): void => {
    const received = readItems(message);
    if (received && received.node !== node) pass(received.subject, { items: received.items, dropped: received.dropped });
  };
  const begin = (subject: LiveSubject): Set<OnBatch> => {
    // Nodes that do not watch receive no items.
    stopItems ??= messages.listen('live-items', { onMessage: receive });
    const begun = new Set<OnBatch>();
    watchers.set(subject, begun);
    interest.announce([subject]);
    return begun;
  };
  const endItems = (): void => {
    stopItems?.();
    stopItems = null;
  };

  return {
    isWatched: (subject) => watchers.has(subject) || interest.has(subject),
    isIdle: () => watchers.size === 0 && interest.isEmpty,
    publish: (subject, items) => {
      pass(subject, { items, dropped: 0 });
      if (interest.has(subject)) outbox.add(subject, items);
    },
    watch: (subject, onBatch) => {
      const some = watchers.get(subject) ?? begin(subject);
      const own: OnBatch = (batch) => {
        onBatch(batch);
      };
      some.add(own);
      return () => {
        if (!some.delete(own) || some.size > 0) return;
        watchers.delete(subject);
        interest.end([subject]);
        if (watchers.size === 0) endItems();
      };
    },
    close: () => {
      interest.end(watchers.keys());
      watchers.clear();
      endItems();
      interest.close();
      outbox.close();
      return Promise.resolve();
    },
  };
};
