import type { LiveSubject } from '../../domain/ports/webhooks/live-channel.ts';
import type { NodeMessages } from '../../domain/ports/node-messages.ts';
import { packed, readInterest, type InterestMessage } from './live-wire.ts';

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
export class LiveInterest {
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
