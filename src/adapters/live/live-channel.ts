import { randomUUID } from 'node:crypto';

import type { NodeMessages } from '../../domain/ports/node-messages.ts';
import {
  type LiveSubject,
  MAX_ITEM_BYTES,
  type LiveItem,
  type LiveBatch,
  type LiveChannel,
} from '../../domain/ports/webhooks/live-channel.ts';
import { packed, readInterest, type InterestMessage, readItems } from './live-wire.ts';

/** A node that has not repeated its interest for this many periods is taken for dead. */
const PERIODS = 3;

interface InterestOptions {
  readonly messages: Pick<NodeMessages, 'send' | 'listen'>;
  readonly node: string;
  readonly renewMs: number;
  readonly own: () => Iterable<LiveSubject>;
}

/**
 * Tracks the interest of the other nodes. Each node reports its own when it begins, then in every
 * period, and when it ends.
 */
class LiveInterest {
  readonly #nodesOf = new Map<LiveSubject, Map<string, number>>();
  readonly #options: InterestOptions;
  readonly #stop: () => void;
  readonly #timer: NodeJS.Timeout;

  constructor(options: InterestOptions) {
    this.#options = options;
    this.#timer = setInterval(() => {
      this.#expire();
      this.announce(options.own());
    }, options.renewMs).unref();
    this.#stop = options.messages.listen('live-interest', {
      onMessage: (message) => {
        this.#receive(readInterest(message));
      },
      onConnected: () => {
        const ask: InterestMessage = { node: options.node, ask: true };
        options.messages.send('live-interest', JSON.stringify(ask));
        this.announce(options.own());
      },
    });
  }

  has(subject: LiveSubject): boolean {
    return this.#nodesOf.has(subject);
  }

  get isEmpty(): boolean {
    return this.#nodesOf.size === 0;
  }

  announce(subjects: Iterable<LiveSubject>): void {
    this.#say('watch', subjects);
  }

  end(subjects: Iterable<LiveSubject>): void {
    this.#say('end', subjects);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#stop();
    this.#nodesOf.clear();
  }

  #say(what: 'watch' | 'end', subjects: Iterable<LiveSubject>): void {
    const { messages, node } = this.#options;
    const head = `${JSON.stringify({ node }).slice(0, -1)},"${what}":`;
    const texts = [...subjects].map((subject) => JSON.stringify(subject));
    for (const { message } of packed(head, texts)) messages.send('live-interest', message);
  }

  #receive(message: InterestMessage | null): void {
    if (message === null || message.node === this.#options.node) return;
    const { node, watch = [], end = [], ask } = message;
    const until = performance.now() + PERIODS * this.#options.renewMs;
    for (const subject of watch) {
      const nodes = this.#nodesOf.get(subject);
      if (nodes) nodes.set(node, until);
      else this.#nodesOf.set(subject, new Map([[node, until]]));
    }
    for (const subject of end) this.#forget(subject, node);
    if (ask) this.announce(this.#options.own());
  }

  #forget(subject: LiveSubject, node: string): void {
    const nodes = this.#nodesOf.get(subject);
    nodes?.delete(node);
    if (nodes?.size === 0) this.#nodesOf.delete(subject);
  }

  #expire(): void {
    const now = performance.now();
    for (const [subject, nodes] of this.#nodesOf) {
      for (const [node, until] of nodes) if (until <= now) this.#forget(subject, node);
    }
  }
}

/** Items wait this long for others that go in the same message. */
const BATCH_MS = 100;
/** Items that wait at most, and messages of one batch: about 4,000 items a second. */
const MAX_WAITING = 2_000;
const MAX_MESSAGES = 20;

interface Parcel {
  readonly texts: string[];
  dropped: number;
}

/** Gathers what this node publishes for other nodes. What is too much is dropped and counted. */
class LiveOutbox {
  readonly #parcels = new Map<LiveSubject, Parcel>();
  #waiting = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly messages: Pick<NodeMessages, 'send'>,
    private readonly node: string,
    private readonly isWanted: (subject: LiveSubject) => boolean,
  ) {}

  add(subject: LiveSubject, items: readonly LiveItem[]): void {
    let parcel = this.#parcels.get(subject);
    if (!parcel) this.#parcels.set(subject, (parcel = { texts: [], dropped: 0 }));
    for (const item of items) {
      const text = this.#waiting < MAX_WAITING ? JSON.stringify(item) : '';
      if (text === '' || Buffer.byteLength(text) > MAX_ITEM_BYTES) parcel.dropped += 1;
      else {
        parcel.texts.push(text);
        this.#waiting += 1;
      }
    }
    this.#plan();
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#parcels.clear();
  }

  #flush(): void {
    this.#timer = null;
    const parcels = [...this.#parcels];
    this.#parcels.clear();
    this.#waiting = 0;
    let budget = MAX_MESSAGES;
    for (const [subject, parcel] of parcels) {
      let { dropped } = parcel;
      for (const { message, count } of packed(this.#head(subject, 0), parcel.texts)) {
        const isSent = budget > 0 && this.messages.send('live-items', message);
        budget -= 1;
        if (!isSent) dropped += count;
      }
      if (dropped > 0 && !this.messages.send('live-items', `${this.#head(subject, dropped)}[]}`)) this.#keep(subject, dropped);
    }
  }

  #head(subject: LiveSubject, dropped: number): string {
    const { node } = this;
    return `${JSON.stringify({ node, subject, dropped }).slice(0, -1)},"items":`;
  }

  /** The count goes with the next batch, if somebody still wants it. */
  #keep(subject: LiveSubject, dropped: number): void {
    if (!this.isWanted(subject)) return;
    this.#parcels.set(subject, { texts: [], dropped });
    this.#plan();
  }

  #plan(): void {
    this.#timer ??= setTimeout(() => {
      this.#flush();
    }, BATCH_MS).unref();
  }
}

const RENEW_MS = 10_000;

type OnBatch = (batch: LiveBatch) => void;

interface LiveChannelOptions {
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
