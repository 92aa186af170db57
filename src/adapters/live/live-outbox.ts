import { MAX_ITEM_BYTES, type LiveItem, type LiveSubject } from '../../domain/ports/webhooks/live-channel.ts';
import type { NodeMessages } from '../../domain/ports/node-messages.ts';
import { packed } from './live-wire.ts';

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
export class LiveOutbox {
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
